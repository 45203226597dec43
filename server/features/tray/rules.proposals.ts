// Which matters are proposed for a paper, and why: sentences instead of a score.

import type { PartyRole } from '@matterdesk/contract/contacts.ts';
import type { TrayItem } from '@matterdesk/contract/tray.ts';
import type { Clues } from '../../db/schema-tray.ts';
import { placeOf, streetOf } from './rules.clues.ts';

type Proposal = TrayItem['proposals'][number];
export type Matter = { id: string; caseName: string; caseNo: string | null };
/** A case whose number, folded, is `key`. */
export type FoundNumber = { key: string; matter: Matter };
/** A number in a matter's notes, or in those on a party or its contact. */
export type FoundClaim = { number: string; matter: Matter; contact: string | null };
/** A party of an active matter whose name, without case and accents, is `key`. */
export type FoundParty = {
  key: string;
  matter: Matter;
  name: string;
  role: PartyRole;
  dateOfBirth: string | null;
  address: string | null;
};

export type Found = {
  numbers: readonly FoundNumber[];
  claims: readonly FoundClaim[];
  parties: readonly FoundParty[];
};

/** Proposals of an item, and reasons of a proposal, at most. */
const MOST = 3;
const REASONS = 3;

const ROLES: Readonly<Record<PartyRole, string>> = {
  client: 'the client',
  opposingParty: 'an opposing party',
  opposingCounsel: 'opposing counsel',
  coCounsel: 'co-counsel',
  witness: 'a witness',
  expert: 'an expert',
  insurer: 'the insurer',
  provider: 'a provider',
  guardian: 'the guardian',
  judge: 'the judge',
  court: 'the court',
  referrer: 'the referrer',
  other: 'a party',
};

type Reason = { matter: Matter; sentence: string };

/** The best first: a number of a case, then one in a matter's notes, then a person. Equals stay side by side. */
export function proposalsFor(clues: Clues, found: Found): Proposal[] {
  const reasons = [
    ...byNumber(clues, found.numbers),
    ...byClaim(clues, found.claims),
    ...byParty(clues, found.parties),
  ];
  const byCase = Map.groupBy(reasons, ({ matter }) => matter.id);
  return [...byCase.values()].slice(0, MOST).flatMap((own) => {
    const [first] = own;
    if (!first) return [];
    const { id, caseName, caseNo } = first.matter;
    const sentences = new Set(own.map(({ sentence }) => sentence));
    return [
      { case: { id, caseName, caseNo }, reason: [...sentences].slice(0, REASONS).join('\n') },
    ];
  });
}

/** In the order in which the paper names them; a number that is a part of a longer one does not count. */
function byNumber({ numbers }: Clues, found: readonly FoundNumber[]): Reason[] {
  const places = new Map(numbers.map(([key, page], at) => [key, { page, at }]));
  const named = found.flatMap((one) => {
    const place = places.get(one.key);
    return place ? [{ ...one, ...place }] : [];
  });
  return named
    .filter(({ key }) => !named.some((other) => other.key !== key && other.key.includes(key)))
    .toSorted((a, b) => a.at - b.at)
    .map(({ matter, page }) => ({ matter, sentence: `Case No ${matter.caseNo} on page ${page}` }));
}

function byClaim({ claims }: Clues, found: readonly FoundClaim[]): Reason[] {
  const words = new Map(claims);
  return found
    .filter(({ number }) => words.has(number))
    .map(({ number, matter, contact }) => {
      const word = words.get(number) ?? '';
      const what = `${word.charAt(0).toUpperCase()}${word.slice(1)} ${number}`;
      const where = contact === null ? "in this matter's notes" : `with ${contact}`;
      return { matter, sentence: `${what} is ${where}` };
    });
}

/** A name alone proposes nothing: the paper has the person's address or date of birth, too. */
function byParty({ names, dates, places }: Clues, found: readonly FoundParty[]): Reason[] {
  const named = new Set(names);
  return found
    .filter(({ key }) => named.has(key))
    .flatMap(({ matter, name, role, dateOfBirth, address }) => {
      const place = address === null ? undefined : placeOf(address);
      const is = `is ${ROLES[role]}`;
      if (place !== undefined && places.includes(place))
        return [{ matter, sentence: `${name}, ${streetOf(address ?? '')}, ${is}` }];
      if (dateOfBirth !== null && dates.includes(dateOfBirth))
        return [{ matter, sentence: `${name}, born ${dateInWords(dateOfBirth)}, ${is}` }];
      return [];
    });
}

/** 'Mar 2, 1984' */
function dateInWords(day: string): string {
  const format = { dateStyle: 'medium', timeZone: 'UTC' } as const;
  return new Date(`${day}T00:00:00Z`).toLocaleDateString('en-US', format);
}
