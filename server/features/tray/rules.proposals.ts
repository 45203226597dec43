// Which matters are proposed for a paper, and why: sentences instead of a score.

import type { PartyRole } from '@matterdesk/contract/contacts.ts';
import type { TrayItem } from '@matterdesk/contract/tray.ts';
import { dateInWords } from '../../core/words.ts';
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

/** A matter in which a mail of the thread is filed. */
export type FoundThread = { thread: string; matter: Matter };
/** A party of an active matter whose address or number is `key`. */
export type FoundCorrespondent = { key: string; matter: Matter; name: string; role: PartyRole };

export type Found = {
  numbers: readonly FoundNumber[];
  claims: readonly FoundClaim[];
  parties: readonly FoundParty[];
  threads: readonly FoundThread[];
  correspondents: readonly FoundCorrespondent[];
};

/** The thread of a mail, and the sender of one or of a text; null for papers. */
export type ItemClues = { clues: Clues | null; thread_id: string | null; sender_key: string | null };

/** Proposals of an item, and reasons of a proposal, at most. */
const MAX_PROPOSALS = 3;
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

/**
 * The best first: a number of a case, then one in a matter's notes, then a person, a thread, and a correspondent of one
 * matter alone. Equals stay side by side.
 */
export function proposalsFor(item: ItemClues, found: Found): Proposal[] {
  const { clues } = item;
  const reasons = [
    ...(clues ? byNumber(clues, found.numbers) : []),
    ...(clues ? byClaim(clues, found.claims) : []),
    ...(clues ? byParty(clues, found.parties) : []),
    ...byThread(item, found.threads),
    ...byCorrespondent(item, found.correspondents),
  ];
  const byCase = Map.groupBy(reasons, ({ matter }) => matter.id);
  return [...byCase.values()].slice(0, MAX_PROPOSALS).flatMap((own) => {
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
    .map(({ matter, page }) => {
      const where = page === 0 ? 'in the message' : `on page ${page}`;
      return { matter, sentence: `Case No ${matter.caseNo} ${where}` };
    });
}

function byThread({ thread_id: own }: ItemClues, found: readonly FoundThread[]): Reason[] {
  return found
    .filter(({ thread }) => thread === own)
    .map(({ matter }) => ({ matter, sentence: 'This thread is filed there' }));
}

function byCorrespondent(item: ItemClues, found: readonly FoundCorrespondent[]): Reason[] {
  const own = found.filter(({ key }) => key === item.sender_key);
  if (own.length > 1) return [];
  return own.map(({ matter, name, role }) => ({ matter, sentence: `${name} is ${ROLES[role]}` }));
}

/** The sender's name as the reader's contacts have it. */
export function senderNameOf(item: ItemClues, { correspondents }: Found): string | null {
  return correspondents.find(({ key }) => key === item.sender_key)?.name ?? null;
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
