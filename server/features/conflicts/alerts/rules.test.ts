import { expect, test } from 'vitest';
import type { UncheckedName } from '../../../db/names.ts';
import type { StoredHit } from '../checks/rules.ts';
import { alarmingHits, pairOf, raisesAlerts, toAsked } from './rules.ts';

const name: UncheckedName = {
  id: '1',
  source: 'parties',
  source_id: 'party',
  case_id: 'case',
  intake_id: null,
  contact_id: null,
  owner_id: null,
  role: 'client',
  name: 'Dolores Reyes',
  identifiers: ['dolores@reyes.example', '15185550100'],
  is_held: false,
};

function hitOf(changes: Partial<StoredHit> = {}): StoredHit {
  const place = { contact: null, case: null, intake: null, file: null };
  return {
    id: 'hit',
    name: 0,
    severity: 'direct',
    match: 'exact',
    score: 1,
    reason: '',
    isWhole: true,
    found: { ...place, name: 'Lola Reyes', role: 'opposingParty', source: 'parties' },
    of: { source: 'parties', id: 'other', ownerId: null, fileId: null },
    ...changes,
  };
}

test('parties raise alerts, but not attorneys of cases or names that are merely mentioned', () => {
  expect(raisesAlerts(name)).toBe(true);
  expect(raisesAlerts({ ...name, role: 'attorney' })).toBe(false);
  expect(raisesAlerts({ ...name, source: 'fileNames' })).toBe(false);
});

test('identifiers are asked as email addresses and phone numbers, and an unknown role as none', () => {
  const asked = toAsked(name, 'contact');
  expect(asked).toMatchObject({ role: null, emails: ['dolores@reyes.example'] });
  expect(asked.phoneNumbers).toEqual(['+15185550100']);
});

test('a name does not match itself, its own contact, or a colleague', () => {
  const own = hitOf({ of: { ...hitOf().of, id: 'party' } });
  expect(alarmingHits(name, [own, hitOf()])).toEqual([hitOf()]);
  const ofContact = hitOf({ of: { ...hitOf().of, contactIds: ['contact'] } });
  expect(alarmingHits({ ...name, contact_id: 'contact' }, [ofContact])).toEqual([]);
  const colleague = hitOf({ found: { ...hitOf().found, source: 'people' } });
  expect(alarmingHits({ ...name, source: 'people' }, [colleague])).toEqual([]);
});

test('a match with a member of the firm is personal at any severity', () => {
  const [alarming] = alarmingHits({ ...name, source: 'people' }, [hitOf({ severity: 'known' })]);
  expect(alarming?.severity).toBe('personal');
});

test('known names and mentions raise no alert', () => {
  const mild = [hitOf({ severity: 'known' }), hitOf({ severity: 'mention' })];
  expect(alarmingHits(name, mild)).toEqual([]);
});

test('both directions of a pair have one digest, regardless of case', () => {
  const there = pairOf({ name: 'Dolores Reyes', place: 'here' }, hitOf());
  const found = { ...hitOf().found, name: 'DOLORES REYES' };
  const back = hitOf({ found, of: { ...hitOf().of, id: 'here' } });
  expect(pairOf({ name: 'lola reyes', place: 'other' }, back)).toBe(there);
  expect(pairOf({ name: 'Lola Reyes', place: 'here' }, hitOf())).not.toBe(there);
});
