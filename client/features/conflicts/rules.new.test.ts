import { expect, test } from 'vitest';
import { namesOfIntake, uncheckedNames } from './rules.new.ts';

const intake = {
  id: 'i',
  name: 'Denise Okonkwo',
  parties: [
    { name: 'Calloway Foods', role: 'opposingParty' as const },
    { name: 'denise okonkwo', role: 'witness' as const },
  ],
  check: null,
};
const asked = (name: string, otherNames: string[] = []) => {
  return { name, role: null, emails: [], phoneNumbers: [], otherNames };
};

test('the check of an intake asks for its person as a client, and for each party once', () => {
  expect(namesOfIntake(intake)).toEqual([
    { name: 'Denise Okonkwo', role: 'client' },
    { name: 'Calloway Foods', role: 'opposingParty' },
  ]);
});

test('a name that was added to an intake after its check is unchecked, regardless of case', () => {
  expect(uncheckedNames(intake, { names: [asked('DENISE OKONKWO')] })).toEqual(['Calloway Foods']);
  const names = [asked('Denise Okonkwo'), asked('Calloway', ['calloway foods'])];
  expect(uncheckedNames(intake, { names })).toEqual([]);
});
