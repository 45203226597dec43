import { expect, test } from 'vitest';
import {
  identifierOf,
  isDisclosed,
  needsDecision,
  parseFileUrl,
  severityOf,
  withoutRepeats,
  type StoredHit,
} from './rules.ts';

type Changes = Partial<StoredHit> & { role?: string; caseId?: string };

function hitOf({ role = 'client', caseId, ...changes }: Changes = {}): StoredHit {
  const matter = caseId ? { id: caseId, caseName: 'A v. B', statusType: 'Active' as const } : null;
  const place = { contact: null, case: matter, intake: null, file: null };
  return {
    id: 'hit',
    name: 0,
    severity: 'direct',
    match: 'exact',
    score: 1,
    reason: '',
    isWhole: true,
    found: { ...place, name: 'Dolores Reyes', role, source: 'parties' },
    of: { source: 'parties', id: 'source', ownerId: null, fileId: null },
    ...changes,
  };
}

test.each([
  ['client', 'opposingParty', 'Active', 'direct'],
  ['client', 'opposingParty', 'Archive', 'former'],
  ['opposingCounsel', 'coCounsel', 'Active', 'direct'],
  ['client', 'guardian', 'Active', 'known'],
  ['judge', 'judge', 'Active', 'known'],
  ['client', 'judge', 'Active', 'related'],
  ['witness', 'client', 'Active', 'related'],
  [null, 'client', 'Active', 'direct'],
] as const)(
  'a %s who is the %s of a case with status %s is a hit of severity %s',
  (asked, role, statusType, severity) => {
    expect(severityOf(asked, { source: 'parties', role, statusType })).toBe(severity);
  },
);

test('the source outweighs the roles of a hit', () => {
  const place = { role: 'client', statusType: 'Active' as const };
  expect(severityOf('opposingParty', { ...place, source: 'people' })).toBe('personal');
  expect(severityOf('opposingParty', { ...place, source: 'fileNames' })).toBe('mention');
});

test('someone without a case is a prospective client only in an intake', () => {
  const place = { role: 'client', statusType: undefined };
  expect(severityOf('opposingParty', { ...place, source: 'intakes' })).toBe('prospective');
  expect(severityOf('opposingParty', { ...place, source: 'contacts' })).toBe('related');
});

test('hits above known need a decision, and so do hidden ones', () => {
  expect(needsDecision({ severity: 'direct' })).toBe(true);
  expect(needsDecision({ severity: 'hidden' })).toBe(true);
  expect(needsDecision({ severity: 'known' })).toBe(false);
  expect(needsDecision({ severity: 'mention' })).toBe(false);
});

test('only a sure match of the whole name reveals a hidden hit', () => {
  expect(isDisclosed(hitOf())).toBe(true);
  expect(isDisclosed(hitOf({ match: 'fuzzy' }))).toBe(false);
  expect(isDisclosed(hitOf({ isWhole: false }))).toBe(false);
});

test('the identifier of a hit is read from its reason', () => {
  const read = (reason: string) => identifierOf({ reason });
  expect(read('Same email address: dolores@reyes.example.')).toBe('dolores@reyes.example');
  expect(read('Same phone number: +15185550100. ’A’ is a relative of ’B’.')).toBe('15185550100');
  expect(read("'Lola' is short for 'Dolores'.")).toBeUndefined();
});

test('repeated hits of a place are dropped, and mentions beside a better hit', () => {
  const mention = hitOf({ id: 'mention', severity: 'mention', caseId: 'one', role: 'caseName' });
  const weaker = hitOf({ id: 'weaker', score: 0.8, caseId: 'one' });
  const elsewhere = hitOf({ id: 'elsewhere', severity: 'mention', caseId: 'two' });
  const all = [elsewhere, mention, weaker, hitOf({ id: 'best', caseId: 'one' })];
  expect(withoutRepeats(all).map(({ id }) => id)).toEqual(['best', 'elsewhere']);
});

test('only the URL of a file is parsed', () => {
  const url = '/api/v1/files/content/7f/Waivers/signed%20copy.pdf';
  expect(parseFileUrl(url)).toEqual({ caseId: '7f', folder: 'Waivers', name: 'signed copy.pdf' });
  expect(parseFileUrl(`${url}/more`)).toBeUndefined();
  expect(parseFileUrl('/api/v1/files/content/7f/Waivers/%E0%A4%A')).toBeUndefined();
});
