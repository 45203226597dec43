import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nameKey } from '../../db/search.ts';
import {
  copyChange,
  detailsOf,
  isSameName,
  newlySaid,
  contactsOfCase,
  type Copies,
} from './rules.copies.ts';
import {
  combine,
  editEntered,
  addDetails,
  isSame,
  noDetails,
  rankFirst,
  rankLast,
  removeDropped,
  withoutItems,
} from './rules.sources.ts';
import {
  changedMembers,
  lookalikeKeys,
  numberKey,
  reasonOf,
  sameKeys,
  toDetails,
} from './rules.ts';

const details = (name: string, more: object = {}) => toDetails({ kind: 'person', name, ...more });

const matter: Copies = {
  id: 'case',
  clientInfo: {
    name: 'Dolores Reyes',
    phoneNumber: '(518) 555-0100',
    email: 'dolores@reyes.example',
    address: '1 Main Street',
  },
  opposingCounselInfo: {
    organization: 'Dunmore LLP',
    name: '',
    phoneNumber: '',
    email: '',
    address: '',
  },
};

test('names that differ in case, accents and blanks are the same', () => {
  expect(nameKey('  José   NÚÑEZ ')).toBe(nameKey('jose nunez'));
  expect(nameKey('Jose Nunes')).not.toBe(nameKey('jose nunez'));
});

test('numbers are the same however they are written, and extensions are none', () => {
  expect(numberKey('(518) 555-0100')).toBe(numberKey('+1 518 555 0100'));
  expect(sameKeys(details('A', { phoneNumbers: ['1234'] }))).toEqual([]);
});

test('two contacts look alike by their surest details, each named once', () => {
  const phoneNumbers = ['+1 518 555 0100'];
  const one = details('Dolores Reyes', { emails: ['d@reyes.example'], phoneNumbers });
  expect(reasonOf(one, details('Lola', { emails: ['D@reyes.example'], phoneNumbers }))).toBe(
    'same email address, same phone number',
  );
  expect(reasonOf(one, details('DOLORES REYES'))).toBe('same name');
  expect(reasonOf(one, details('Ana Reyes', { phoneNumbers }))).toBe(
    'same phone number, similar name',
  );
  expect(reasonOf(one, details('Ana Reyes'))).toBeUndefined();
});

test('the other names of a contact make it look alike too', () => {
  const keys = lookalikeKeys(details('Dolores Reyes', { otherNames: ['Lola Reyes'] }));
  expect(keys).toEqual(['n:dolores reyes', 'n:lola reyes']);
});

test('a patch drops repetitions, empties texts to null, and keeps the other members', () => {
  const before = details('Dolores Reyes', { address: '1 Main Street', notes: 'Calls at noon' });
  const after = toDetails({ address: '', emails: ['a@b.example', 'A@b.example'] }, before);
  expect(after).toMatchObject({ address: null, emails: ['a@b.example'], notes: 'Calls at noon' });
  expect(changedMembers(before, after)).toEqual({ address: null, emails: ['a@b.example'] });
});

test('a case describes its client as a person and a counsel without a name as an organization', () => {
  const [client, counsel] = contactsOfCase({ ...matter, access: 'restricted' });
  expect(client).toMatchObject({ role: 'client', isWalled: true, details: { kind: 'person' } });
  expect(counsel?.details).toMatchObject({ kind: 'organisation', name: 'Dunmore LLP' });
  const firm = { ...matter, clientInfo: { ...matter.clientInfo, name: 'Calloway Foods, Inc.' } };
  expect(detailsOf(firm, 'clientInfo')?.kind).toBe('organisation');
  const unknown = { ...matter.opposingCounselInfo, organization: '' };
  expect(contactsOfCase({ ...matter, opposingCounselInfo: unknown })).toHaveLength(1);
});

test('only the details that a case has since its change are new', () => {
  const moved = { ...matter, clientInfo: { ...matter.clientInfo, address: '2 Main Street' } };
  const [client] = contactsOfCase(moved);
  if (!client) throw new Error('a case has a client');
  expect(newlySaid(matter, client)).toMatchObject({
    address: '2 Main Street',
    emails: [],
    phoneNumbers: [],
  });
});

test('a corrected copy refers to the contact as long as one of its names is kept', () => {
  const contact = details('Dolores Reyes', { otherNames: ['Lola Reyes'] });
  expect(isSameName(contact, 'D. Reyes', 'lola reyes')).toBe(true);
  expect(isSameName(contact, 'D. Reyes', 'd. reyes')).toBe(true);
  expect(isSameName(contact, 'D. Reyes', 'Ana Reyes')).toBe(false);
});

test('a copy follows its contact only where it matched, and never to an empty value', () => {
  const before = details('Dolores Reyes', {
    emails: ['dolores@reyes.example'],
    phoneNumbers: ['+1 518 555 0199'],
    address: '1 Main Street',
  });
  const after = toDetails({ emails: ['new@reyes.example'], phoneNumbers: [], address: '' }, before);
  expect(copyChange(matter.clientInfo, before, after)).toEqual({ email: 'new@reyes.example' });
});

test('sources combine in the order of the ranking, each item once', () => {
  const entered = { ...noDetails, emails: ['a@x.example'], address: '1 Main Street' };
  const ofCase = { ...noDetails, emails: ['b@x.example', 'A@x.example'], address: '2 Main Street' };
  const ranking = rankFirst(rankLast([], entered), { ...noDetails, emails: ['b@x.example'] });
  const combined = combine([entered, ofCase], ranking);
  expect(combined.emails).toEqual(['b@x.example', 'a@x.example']);
  expect(combined.address).toBe('1 Main Street');
});

test('a source keeps its own details when it gains others', () => {
  const source = { ...noDetails, otherNames: ['Lola'], address: '1 Main Street' };
  const gained = addDetails(source, {
    ...noDetails,
    otherNames: ['LOLA', 'Doll'],
    address: 'Elsewhere',
  });
  expect(gained).toEqual({ ...source, otherNames: ['Lola', 'Doll'] });
  expect(isSame(withoutItems(gained, source), { ...gained, otherNames: ['Doll'] })).toBe(true);
});

test('what a user removes leaves every source, and what they add is entered', () => {
  const before = { ...noDetails, emails: ['a@x.example', 'b@x.example'], address: '1 Main Street' };
  const after = { ...noDetails, emails: ['B@x.example', 'c@x.example'] };
  const ofCase = { ...noDetails, emails: ['a@x.example', 'b@x.example'], address: '2 Main Street' };
  expect(removeDropped(ofCase, { before, after })).toEqual({
    ...noDetails,
    emails: ['B@x.example'],
  });
  expect(editEntered(noDetails, { before, after })).toEqual({
    ...noDetails,
    emails: ['c@x.example'],
  });
});

const said = fc.record({
  otherNames: fc.uniqueArray(fc.constantFrom('Ida Wells', 'IDA WELLS', 'Ída Wells', 'I. B. Wells')),
  emails: fc.uniqueArray(fc.constantFrom('ida@x.example', 'Ida@X.example', 'wells@x.example')),
  phoneNumbers: fc.uniqueArray(
    fc.constantFrom('+1 212 555 0101', '(212) 555-0101', '212 555 0102', '+12125550103'),
  ),
  address: fc.option(fc.constantFrom('1 Main Street', '2 High Street')),
  organisation: fc.option(fc.constantFrom('Roe & Partners', 'Northline')),
});

test('what a new matter says joins what everyone sees as it joins what all others say', () => {
  fc.assert(
    fc.property(fc.array(said, { maxLength: 5 }), said, fc.boolean(), (others, own, isPut) => {
      const put = isPut ? rankFirst([], own) : [];
      const shown = combine(others, rankLast(put, ...others));
      const ranking = rankLast(rankLast(put, ...others), own);
      expect(combine([shown, own], ranking)).toEqual(combine([...others, own], ranking));
    }),
    { numRuns: 1000 },
  );
});
