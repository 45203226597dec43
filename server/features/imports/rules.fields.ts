// Values of cells as our fields take them.

import * as z from 'zod/mini';
import { type PartyRole, partyRoles } from '@matterdesk/contract/contacts.ts';
import { fold } from '../../db/search.ts';
import { type Leftovers, plain, shortLine } from './rules.texts.ts';

const EMAIL_MAX = 254;
const PHONE_MAX = 40;
const MIN_DIGITS = 3;
const EMAIL = z.regexes.email;

type Listed = { cells: readonly (string | undefined)[]; label: string; rest: Leftovers };

/** Email addresses in the cells; anything else goes to the leftovers. */
export function emailsOf({ cells, label, rest }: Listed): string[] {
  const found: string[] = [];
  for (const cell of cells)
    for (const part of (cell ?? '').split(/[;,\s]+/)) {
      const email = part.replaceAll(/[<>()"']/g, '');
      if (email === '') continue;
      if (EMAIL.test(email) && email.length <= EMAIL_MAX) found.push(email);
      else rest.add(label, part);
    }
  return found;
}

/** Phone numbers in the cells; anything else goes to the leftovers. */
export function phonesOf({ cells, label, rest }: Listed): string[] {
  const found: string[] = [];
  for (const cell of cells)
    for (const part of (cell ?? '').split(/[;\n]/)) {
      const number = shortLine(part, PHONE_MAX);
      if (number !== null && number.replaceAll(/\D/g, '').length >= MIN_DIGITS)
        found.push(number);
      else rest.add(label, part);
    }
  return found;
}

const ADDRESS_MAX = 500;

/** An address as it is written on a letter. */
export function addressOf(cells: Readonly<Record<string, string>>, rest: Leftovers): string | null {
  const { address = '', street = '', city = '', state = '', postalCode = '', country = '' } = cells;
  const place = [city, [state, postalCode].filter(Boolean).join(' ')].filter(Boolean).join(', ');
  const lines = [address, street, place, country].map(plain).filter(Boolean);
  const text = lines.join('\n');
  if (text.length <= ADDRESS_MAX) return text === '' ? null : text;
  rest.add('Address', text);
  return null;
}

const ROLES: Record<string, PartyRole> = {
  plaintiff: 'client',
  petitioner: 'client',
  claimant: 'client',
  defendant: 'opposingParty',
  respondent: 'opposingParty',
  'opposing party': 'opposingParty',
  'adverse party': 'opposingParty',
  'opposing counsel': 'opposingCounsel',
  'opposing attorney': 'opposingCounsel',
  'defense attorney': 'opposingCounsel',
  'defense counsel': 'opposingCounsel',
  'co-counsel': 'coCounsel',
  'co counsel': 'coCounsel',
  'expert witness': 'expert',
  insurance: 'insurer',
  'insurance company': 'insurer',
  'insurance carrier': 'insurer',
  carrier: 'insurer',
  adjuster: 'insurer',
  doctor: 'provider',
  physician: 'provider',
  hospital: 'provider',
  'medical provider': 'provider',
  'health care provider': 'provider',
  'legal guardian': 'guardian',
  'guardian ad litem': 'guardian',
  parent: 'guardian',
  'referral source': 'referrer',
  'referred by': 'referrer',
};

/** Our role for a word; null for a word that has none. */
export function roleOf(word: string): PartyRole | null {
  const key = fold(word.trim());
  return partyRoles.find((role) => fold(role) === key) ?? ROLES[key] ?? null;
}
