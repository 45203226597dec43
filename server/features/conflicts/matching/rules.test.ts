import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Alternatives, dictionaryWords, planSearch, tokensOf } from './rules.index.ts';
import { parseName } from './rules.names.ts';
import { distance, keysOf } from './rules.spelling.ts';
import { explain, compareNames } from './rules.ts';

function compare(asked: string, found: string) {
  const names = { asked: parseName(asked), found: parseName(found) };
  const match = compareNames(names.asked, names.found);
  return match && { ...match, reason: explain(match, names) };
}

/** Whether a row is found through the dictionary, as the database finds it. */
function isFound(asked: string, found: string): boolean {
  const [name, row] = [parseName(asked), parseName(found)];
  const alternatives = new Alternatives();
  alternatives.ask(name);
  const keys = new Set(alternatives.asked.keys);
  const words = new Set(alternatives.asked.words);
  for (const word of dictionaryWords(row))
    if (words.has(word) || keysOf(word).some((key) => keys.has(key)))
      alternatives.offer({ word, n: 1 });
  const { groups, sufficient } = planSearch(name, alternatives);
  const tokens = tokensOf(row);
  const held = groups.filter((group) => group.some((word) => tokens.includes(word)));
  return held.length >= 2 || sufficient.some((token) => tokens.includes(token));
}

test.each([
  ['Bob Fernandez', 'Robert Fernández', 'nickname', "'Bob' is short for 'Robert'"],
  ['Smith, John Q.', 'John Smith', 'exact', 'the order of the words does not count'],
  ['Acme L.L.C.', 'ACME, Inc.', 'exact', 'the legal form does not count'],
  ['Иванов', 'Ivanov', 'exact', 'the script does not count'],
  ['Jonh Kim', 'John Kim', 'fuzzy', "'Jonh' is spelled almost like 'John'"],
  ['Meyer', 'Maier', 'phonetic', "'Meyer' sounds like 'Maier'"],
  ['Bob Fernandez', 'Rob Fernandez', 'nickname', "'Bob' and 'Rob' are both short for 'Robert'"],
  ['J. Smith', 'John Smith', 'partial', "'J.' may stand for 'John'"],
  ['Calloway', 'Calloway Foods', 'partial', "'Calloway' is part of 'Calloway Foods'"],
])('the matching finds %s in %s by %s and says why', (asked, found, match, reason) => {
  expect(compare(asked, found)).toMatchObject({
    match,
    reason: expect.stringContaining(reason) as string,
  });
});

test('the matching finds a name that ends the longest name of a file', () => {
  const name = 'Robert Fernandez';
  const before = 'note about the '.repeat(20);
  const file = `${before.slice(0, 254 - name.length)} ${name}`;
  expect(compare(name, file)).toMatchObject({ match: 'partial' });
  expect(isFound(name, file)).toBe(true);
});

test('the matching takes each of some 200 pairs for the same name, either way round, and finds it in the index', () => {
  const pairs = pairsOf(same).flatMap(([one, other]) => [
    [one, other] as const,
    [other, one] as const,
  ]);
  expect(pairs.length).toBeGreaterThan(400);
  expect(pairs.filter((pair) => !compare(...pair)?.isWhole)).toEqual([]);
  expect(pairs.filter((pair) => !isFound(...pair))).toEqual([]);
});

test('the matching takes each of some 200 pairs for different names, either way round', () => {
  const pairs = pairsOf(different).flatMap(([one, other]) => [
    [one, other] as const,
    [other, one] as const,
  ]);
  expect(pairs.length).toBeGreaterThan(380);
  expect(pairs.filter((pair) => compare(...pair) !== undefined)).toEqual([]);
});

const letters = fc.string({
  unit: fc.constantFrom(...Array.from('abcdefgh')),
  minLength: 4,
  maxLength: 7,
});

test('the matching finds every word that is one edit away by a shared key', () => {
  fc.assert(
    fc.property(letters, letters, (one, other) => {
      const isNear = distance(one, other, 1) <= 1;
      const keys = new Set(keysOf(one));
      return !isNear || keysOf(other).some((key) => keys.has(key));
    }),
  );
});

test('the matching matches any name with itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (written) => {
      const name = parseName(written);
      const match = compareNames(name, name);
      return (
        name.words.length === 0 ||
        match?.isWhole === true ||
        name.words.every(({ text }) => text.length === 1)
      );
    }),
  );
});

/** Names of one person or organization: each pair of a line is the same name. */
const same = [
  [
    'Robert Fernández',
    'Bob Fernandez',
    'Fernandez, Robert',
    'Robert J. Fernandez',
    'Rob Fernández Jr.',
    'ROBERT FERNANDEZ',
  ],
  [
    'John Smith',
    'Smith, John Q.',
    'Jack Smith',
    'Jon Smith',
    'Mr. John Quincy Smith',
    'Johnny Smyth',
  ],
  ['Acme, Inc.', 'Acme L.L.C.', 'ACME', 'Acme Corporation', 'The Acme Company', 'acme ltd'],
  [
    'Sergey Ivanov',
    'Сергей Иванов',
    'Ivanov, Sergei',
    'Dr. Sergey Ivanov',
    'Sergey P. Ivanov',
    'Sergey Iwanov',
  ],
  ['John Kim', 'Jonh Kim', 'Kim, John', 'Johnny Kim', 'John Kim, Esq.', 'John H. Kim'],
  [
    'Katherine Meyer',
    'Kathryn Maier',
    'Kate Meyer',
    'Katharine Meyer',
    'Kathy Mayer',
    'Meyer, Katherine Anne',
  ],
  [
    'Steven O’Brien',
    "Stephen O'Brien",
    'Steve OBrien',
    "O'Brien, Steven",
    'Steven O Brien',
    'Stevie O’Bryen',
  ],
  [
    'Home Depot',
    'HomeDepot',
    'The Home Depot, Inc.',
    'HOME DEPOT INC',
    'Home-Depot',
    'Home Depot Corp.',
  ],
  [
    'María de la Cruz',
    'Maria Cruz',
    'Maria De La Cruz',
    'de la Cruz, Maria',
    'MARIA DE LA CRUZ',
    'Ms. María Elena de la Cruz',
  ],
  [
    'Thompson Logistics, LLC',
    'Tomson Logistics',
    'Thompson Logistics Inc.',
    'Thomson Logistics',
    'THOMPSON LOGISTICS',
    'Thompson Logistics Corporation',
  ],
  [
    'Keystone Insurance Co.',
    'Keystone Ins. Company',
    'The Keystone Insurance Company',
    'Keystone Insurance',
    'KEYSTONE INSURANCE',
    'Keystone Insurence',
  ],
  [
    'James McDonald',
    'Jim McDonald',
    'James Mc Donald',
    'McDonald, Jimmy',
    'James MacDonald',
    'James T. McDonald III',
  ],
  ['王小明', 'Wang Xiaoming', 'Wang Xiao Ming', 'Wang, Xiaoming', 'Xiaoming Wang', 'WANG XiaoMing'],
  [
    'Mary St. John',
    'Mary Saint John',
    'St. John, Mary',
    'Mary Ann St John',
    'Molly St. John',
    'Mrs. Mary St. John',
  ],
] as const;

/** Names that have something in common, of which no two are the same. */
const different = [
  ['Mary Smith', 'John Smith', 'Peter Smith', 'Laura Smith', 'Omar Smith', 'Denise Smith'],
  [
    'Daniel Okonkwo',
    'Paul Okonkwo',
    'Ruth Okonkwo',
    'Grace Okonkwo',
    'Ken Okonkwo',
    'Victor Okonkwo',
  ],
  ['John Smith', 'John Wu', 'John Garcia', 'John Miller', 'John Delacroix', 'John Hart'],
  [
    'Apple Computer',
    'Apple Records',
    'Apple Orchards',
    'Apple Bank',
    'Apple Rubber',
    'Apple Vacations',
  ],
  [
    'First National Bank',
    'First Presbyterian Church',
    'First Student',
    'First Avenue Hotel',
    'First Responders Fund',
    'First Light Energy',
  ],
  ['Lee Chang', 'Lee Park', 'Lee Wong', 'Lee Baker', 'Lee Garza', 'Lee Hughes'],
  [
    'Harbor Transit',
    'Harbor Foods',
    'Harbor Hospital',
    'Harbor Realty',
    'Harbor Motors',
    'Harbor Pharmacy',
  ],
  ['Jane Doe', 'John Doe', 'Peter Doe', 'Amir Doe', 'Ursula Doe', 'Baby Doe'],
  [
    'State of Ohio',
    'State of Texas',
    'State of Maine',
    'State of Utah',
    'State of Nevada',
    'State of Iowa',
  ],
  ['Ama Owusu', 'Kofi Owusu', 'Yaw Owusu', 'Esi Owusu', 'Kwame Owusu', 'Abena Owusu'],
  ['Unit 12', 'Unit 13', 'Unit 21', 'Unit 112', 'Unit 1', 'Unit 2'],
  ['Иван Петров', 'Иван Сидоров', 'Иван Козлов', 'Иван Морозов', 'Иван Волков', 'Иван Лебедев'],
  ['Maria Garcia', 'Carmen Garcia', 'Lucia Garcia', 'Elena Garcia', 'Rosa Garcia', 'Paula Garcia'],
] as const;

/** Each two of a line. */
function pairsOf(lines: readonly (readonly string[])[]): [string, string][] {
  return lines.flatMap((line) =>
    line.flatMap((one, index) =>
      line.slice(index + 1).map((other): [string, string] => [one, other]),
    ),
  );
}
