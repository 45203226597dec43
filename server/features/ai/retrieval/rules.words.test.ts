import { describe, expect, test } from 'vitest';
import { processorTimeDuring } from '../../../testing/usage.ts';
import {
  contentWords,
  readQuestion,
  hintsFor,
  looseReadings,
  parseVocabulary,
  vocabulary,
} from './rules.words.ts';

const texts = (words: { text: string }[]) => words.map(({ text }) => text);

test('the reader of questions keeps the words that carry meaning', () => {
  expect(contentWords('What does the agreement say about the Tenant’s late-payment fee?')).toEqual([
    'tenant',
    'late-payment',
    'fee',
  ]);
});

test('falls back to all words of a question without content words', () => {
  expect(texts(readQuestion('What does it say?').asked)).toEqual(['what', 'does', 'it', 'say']);
});

test('the reader of questions separates the words that name the document from the question', () => {
  const reading = readQuestion(
    'Consider the Lease between Maple Court and Dana; may the tenant sublet?',
  );
  expect(texts(reading.documentWords)).toEqual(['lease', 'maple', 'court', 'dana']);
  expect(texts(reading.asked)).toEqual(['tenant', 'sublet']);
  expect(reading.names).toContain('maple');
});

test.each([
  [
    'Consider the Affiliate Agreement between Birch Inc. and Mount Ltd., what is the fee?',
    'affiliate birch inc mount ltd',
    'fee',
  ],
  [
    'Under the Office Lease with Pinecrest, may the tenant sublet?',
    'office lease pinecrest',
    'tenant sublet',
  ],
  [
    'What is the expiration date of the Affiliate Agreement between Birch and Mount?',
    'affiliate birch mount',
    'expiration date',
  ],
  [
    'Consider the Supply Agreement between Alder Inc.; Beech LLC; Cedar Ltd.; what is the governing law?',
    'supply alder inc beech llc cedar ltd',
    'governing law',
  ],
  [
    'Consider the Supply Agreement between May Corp.; Will Inc.; which law governs; and where is the venue?',
    'supply corp inc',
    'law governs venue',
  ],
  [
    'The Supply Agreement with Alder; Beech; the payment terms',
    'supply alder beech',
    'payment terms',
  ],
  ['Supply Agreement of Alder and Beech: is there a cap?', 'supply alder beech', 'cap'],
  ['Supply Agreement of Alder and Beech — in which currency?', 'supply alder beech', 'currency'],
  [
    'I am reading the Lease with Pinecrest P.C. May the tenant sublet?',
    'lease pinecrest p.c',
    'tenant sublet',
  ],
  [
    'In the “Office Lease” dated May 6, 2024, is smoking allowed?',
    'office lease dated 6 2024',
    'smoking allowed',
  ],
  [
    'According to the May 6, 2024 Office Lease, when is the rent due?',
    '6 2024 office lease',
    'rent due',
  ],
  ['In the matter of Alder and Beech, who is the judge?', 'matter alder beech', 'judge'],
  ['How long is the warranty under the Supply Agreement?', 'supply', 'long warranty'],
  [
    'How long is the warranty, according to the Supply Agreement dated May 6?',
    'supply dated 6',
    'long warranty',
  ],
  [
    'Who pays the rent in the Office Lease between Alder and Beech?',
    'office lease alder beech',
    'pays rent',
  ],
  ['What is the rent; and the deposit?', '', 'rent deposit'],
  ['How long is the warranty under this Agreement?', '', 'long warranty'],
  ['What happens under the laws of Ohio?', '', 'happens laws ohio'],
  ['In case of fire, who repairs the roof?', '', 'case fire repairs roof'],
  ['In the event of default, when does the lease end?', '', 'event default lease end'],
  ['Is there a lease with Pinecrest?', '', 'lease pinecrest'],
])('the reader of questions finds what names the document in "%s"', (question, naming, asked) => {
  const reading = readQuestion(question);
  expect(texts(reading.documentWords).join(' ')).toBe(naming);
  expect(texts(reading.asked).join(' ')).toBe(asked);
});

describe('a follow-up question', () => {
  const turn = (question: string) => ({ question, answer: '' });
  const history = ['Who is the guarantor?', 'How much is the deposit?'].map(turn);

  test('carries over the words of the question that it refers to, and of no earlier one', () => {
    const { carried, asked } = readQuestion('When must it be returned?', history);
    expect(texts(carried)).toEqual(['deposit']);
    expect(texts(asked)).toEqual(['returned']);
    expect(carried[0]?.weight).toBeGreaterThan(0.2);
  });

  test('also carries over the words that the previous follow-up refers to', () => {
    const longer = [...history, turn('When must it be returned?')];
    expect(texts(readQuestion('And by whom?', longer).carried)).toEqual(['deposit', 'returned']);
  });

  test('carries over more weight than a question that is only short', () => {
    const { carried } = readQuestion('Who is the landlord?', history);
    expect(carried.every((word) => word.weight < 0.2)).toBe(true);
    const whole = 'Which insurance must the contractor carry during construction?';
    expect(readQuestion(whole, history).carried).toEqual([]);
  });

  test('refers to the document that the previous question named', () => {
    const named = [turn('How long does the Quillon NDA last?')];
    expect(readQuestion('Which law governs it?', named).names).toContain('quillon');
  });
});

test.each([
  ['Who are the parties?', true],
  ['What is the effective date?', true],
  ['When was this contract signed?', true],
  ['What is the title of this document?', true],
  ['When does the warranty end?', false],
  ['What is the date of this contract?', true],
  ['What is the expiration date of this contract?', false],
  ['How much notice must a party give?', false],
])(
  'the reader of questions decides whether "%s" asks for the front page: %s',
  (question, wants) => {
    expect(readQuestion(question).wantsFrontPage).toBe(wants);
  },
);

test('the reader of questions adds words that documents use in their answers', () => {
  expect(texts(readQuestion('Can I have a dog?').hints)).toContain('animals');
  expect(texts(readQuestion('Is there a non-compete?').hints)).toContain('competitive');
});

/** CPU milliseconds; the longest question that is accepted, ten times. */
const MOST_WORK = 1000;

test.each(['the lease with ', 'of the ', 'A; ', 'under the A Lease ', 'in the “', 'Lease, : - '])(
  'the reader of questions reads the longest questions of "%s" at once',
  async (part) => {
    const question = `Consider ${part.repeat(2000)}`.slice(0, 2000);
    const work = await processorTimeDuring(async () => {
      for (let n = 0; n < 10; n += 1) readQuestion(question);
    });
    expect(work).toBeLessThan(MOST_WORK);
  },
);

const text = `# A comment
[stop words]
the of
and

[asking words]
clause
[front page]
\\btitle\\b
[answered in other words]
# Another
fire|burn => casualty destroyed
`;

test('the vocabulary reads each section, without comments and empty lines', () => {
  expect(parseVocabulary(text)).toEqual({
    stop: new Set(['the', 'of', 'and']),
    asking: new Set(['clause']),
    frontPage: [/\btitle\b/i],
    hints: [{ speaksOf: /\b(?:fire|burn)/, words: ['casualty', 'destroyed'] }],
  });
});

test.each([
  ['a line without an arrow', text.replace(' =>', ''), /not fire\|burn casualty/],
  ['a line without words', text.replace('casualty destroyed', ''), /not fire\|burn =>/],
  ['a line with two arrows', text.replace('casualty', 'casualty =>'), /not fire\|burn => casualty/],
  ['a pattern that is broken', text.replace('fire|', '(fire|'), /regular expression/],
  ['a missing section', text.replace('[front page]', ''), /no section \[front page\]/],
])('the vocabulary refuses %s', (_, broken, message) => {
  expect(() => parseVocabulary(broken)).toThrow(message);
});

test('the vocabulary lists each word once, in the form of words of a question', () => {
  const { stop, asking, hints } = vocabulary;
  for (const word of [...stop, ...asking]) expect(word).toMatch(/^[a-z']+$/);
  expect([...asking].filter((word) => stop.has(word))).toEqual([]);
  for (const { words } of hints) {
    expect(new Set(words).size).toBe(words.length);
    for (const word of words) expect(word).toMatch(/^[A-Za-z]+$/);
  }
});

test('the vocabulary does not have a pattern that matches every question', () => {
  expect(hintsFor('')).toEqual([]);
  expect(hintsFor('xyz')).toEqual([]);
  expect(vocabulary.frontPage.some((pattern) => pattern.test('xyz'))).toBe(false);
});

const ASKED = 'may the tenant sublet';

test.each([
  ['From the Harrowgate lease: @?', 'the Harrowgate lease'],
  ['In the office lease, @?', 'the office lease'],
  ['In the Harrowgate lease how may the tenant sublet?', 'the Harrowgate lease'],
  ['For the September 2023 lease, @?', 'the September 2023 lease'],
  ['Per the lease of September 2023, @?', 'the lease of September 2023'],
  ['In Harrowgate’s lease, @?', 'Harrowgate’s lease'],
  ['Pinecrest lease - @?', 'Pinecrest lease'],
  ['The lease with Pinecrest Dental Group: @?', 'The lease with Pinecrest Dental Group'],
  ['Regarding Pinecrest Dental Group: @?', 'Pinecrest Dental Group'],
  ['Pinecrest: @?', 'Pinecrest'],
  ['office-lease.txt: @?', 'office-lease.txt'],
  ['According to the police report, @?', 'the police report'],
  ['According to the letter of Jane Doe, @?', 'the letter of Jane Doe'],
  ['Pinecrest lease, @?', 'Pinecrest lease'],
  ['office lease harrowgate: @?', 'office lease harrowgate'],
  ['[Office Lease] @?', 'Office Lease'],
  ['In re Pinecrest: @?', 'Pinecrest'],
  ['May the tenant sublet in the Pinecrest lease?', 'the Pinecrest lease'],
  ['May the tenant sublet under the Harrowgate office lease?', 'the Harrowgate office lease'],
  [
    'May the tenant sublet, per the office lease with Pinecrest?',
    'the office lease with Pinecrest',
  ],
  ['May the tenant sublet in office-lease.txt?', 'office-lease.txt'],
  ['May the tenant sublet? (Office Lease, Harrowgate)', 'Office Lease, Harrowgate'],
  ['May the tenant sublet? See the office lease.', 'the office lease'],
  ['May the tenant sublet – office lease', 'office lease'],
])('the document is named in "%s"', (form, name) => {
  const question = form.replace('@', ASKED);
  const [found] = [...looseReadings(question)];
  expect(found?.documentName).toBe(name);
  expect(found?.asking.toLowerCase()).toContain(ASKED);
});

test.each([
  'In Ohio, may the landlord enter?',
  'Breach of the lease, what happens?',
  'In case of fire, who repairs the roof?',
  'Within how many days of the notice must the tenant pay?',
  'What does the insurance policy cover?',
  'How long do you keep my workouts?',
  'Who pays for the report?',
  'What is the rent, and when is it due?',
  'Is information that was told orally protected?',
])('no document is named in "%s"', (question) => {
  expect([...looseReadings(question)]).toEqual([]);
});
