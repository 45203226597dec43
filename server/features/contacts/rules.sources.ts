// The details of a contact by their sources, and what readers see of them together.

import { createHash } from 'node:crypto';
import { nameKey } from '../../db/search.ts';
import * as rules from './rules.ts';

/** The details of a contact that its matters may contribute. */
export type SourceDetails = Pick<
  rules.Details,
  'otherNames' | 'emails' | 'phoneNumbers' | 'address' | 'organisation'
>;
/** The details from one matter; without a case, those entered at the contact itself. */
export type Source = SourceDetails & { id: string; caseId: string | null; isWalled: boolean };

/** Details that a user saw, and those after their change. */
type SourceChange = { before: SourceDetails; after: SourceDetails };

const LISTS = ['otherNames', 'emails', 'phoneNumbers'] as const;
const SINGLE = ['address', 'organisation'] as const;
const joins = {
  otherNames: rules.joinNames,
  emails: rules.joinEmails,
  phoneNumbers: rules.joinNumbers,
};
const keys = {
  otherNames: nameKey,
  emails: rules.emailKey,
  phoneNumbers: rules.numberKey,
};
export const noDetails: SourceDetails = {
  otherNames: [],
  emails: [],
  phoneNumbers: [],
  address: null,
  organisation: null,
};

/** Hashes, as a contact's ranking includes details that only some readers see. */
function ranksOf(...all: SourceDetails[]): string[] {
  return LISTS.flatMap((member) => itemsOf(member, all).map((item) => rankOf(member, item)));
}

/** Each item once: thousands of matters may say the same of a contact, and hashing takes time. */
function itemsOf(member: (typeof LISTS)[number], all: SourceDetails[]): string[] {
  return [...new Set(all.flatMap((said) => said[member]))];
}

function rankOf(member: (typeof LISTS)[number], item: string): string {
  return createHash('sha256')
    .update(`${member} ${keys[member](item)}`)
    .digest('base64')
    .slice(0, 12);
}

/** The ranking with new items at its end. */
export function rankLast(ranking: string[], ...all: SourceDetails[]): string[] {
  return [...new Set([...ranking, ...ranksOf(...all)])];
}

/** The ranking with these items first, as a person has just put them. */
export function rankFirst(ranking: string[], said: SourceDetails): string[] {
  return [...new Set([...ranksOf(said), ...ranking])];
}

/** The details of all sources, in the order of the ranking; of single members, the first. */
export function combine(all: SourceDetails[], ranking: string[]): SourceDetails {
  const places = new Map(ranking.map((rank, place) => [rank, place]));
  const ranked = (member: (typeof LISTS)[number]) => {
    const placed = itemsOf(member, all)
      .map((item) => ({ item, place: places.get(rankOf(member, item)) ?? places.size }))
      .toSorted((a, b) => a.place - b.place);
    return joins[member](placed.map(({ item }) => item));
  };
  const first = (member: (typeof SINGLE)[number]) =>
    all.find((said) => said[member] !== null)?.[member] ?? null;
  return {
    otherNames: ranked('otherNames'),
    emails: ranked('emails'),
    phoneNumbers: ranked('phoneNumbers'),
    address: first('address'),
    organisation: first('organisation'),
  };
}

/** Adds details to a source, which keeps its own. */
export function addDetails<One extends SourceDetails>(source: One, said: SourceDetails): One {
  return { ...source, ...combine([source, said], []) };
}

/** Removes from a source what a user removed, and takes their spelling of the rest. */
export function removeDropped<One extends SourceDetails>(
  source: One,
  { before, after }: SourceChange,
): One {
  const lists = LISTS.map((member) => {
    const keyOf = keys[member];
    const left = new Map(after[member].map((item) => [keyOf(item), item]));
    return [member, source[member].flatMap((item) => left.get(keyOf(item)) ?? [])];
  });
  const single = SINGLE.map((member) => [
    member,
    before[member] !== null && after[member] === null ? null : source[member],
  ]);
  return { ...source, ...(Object.fromEntries([...lists, ...single]) as SourceDetails) };
}

/** The details entered at a contact, after a user changed what they saw. */
export function editEntered<One extends SourceDetails>(source: One, changed: SourceChange): One {
  const { before, after } = changed;
  const added = { ...noDetails, ...withoutItems(after, before) };
  const single = SINGLE.map((member) => [
    member,
    after[member] === before[member] ? source[member] : after[member],
  ]);
  const joined = addDetails(removeDropped(source, changed), {
    ...added,
    address: null,
    organisation: null,
  });
  return {
    ...joined,
    ...(Object.fromEntries(single) as Pick<SourceDetails, (typeof SINGLE)[number]>),
  };
}

/** The lists without the items of the other ones. */
export function withoutItems<One extends SourceDetails>(
  said: One,
  other: Pick<SourceDetails, (typeof LISTS)[number]>,
): One {
  const lists = LISTS.map((member) => {
    const taken = new Set(other[member].map(keys[member]));
    return [member, said[member].filter((item) => !taken.has(keys[member](item)))];
  });
  return { ...said, ...(Object.fromEntries(lists) as SourceDetails) };
}

export function isSame(one: SourceDetails, other: SourceDetails): boolean {
  return [...LISTS, ...SINGLE].every(
    (member) => JSON.stringify(one[member]) === JSON.stringify(other[member]),
  );
}

export function pickDetails({
  otherNames,
  emails,
  phoneNumbers,
  address,
  organisation,
}: SourceDetails): SourceDetails {
  return { otherNames, emails, phoneNumbers, address, organisation };
}
