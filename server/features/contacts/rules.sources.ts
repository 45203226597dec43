import { createHash } from 'node:crypto';
import * as rules from './rules.ts';

/** The members of a contact that its matters say. */
export type Said = Pick<
  rules.Details,
  'otherNames' | 'emails' | 'phoneNumbers' | 'address' | 'organisation'
>;
/** What one matter says of a contact; without a case, what was entered at the contact itself. */
export type Source = Said & { id: string; caseId: string | null; isWalled: boolean };

const LISTS = ['otherNames', 'emails', 'phoneNumbers'] as const;
const SINGLE = ['address', 'organisation'] as const;
const joins = {
  otherNames: rules.joinNames,
  emails: rules.joinEmails,
  phoneNumbers: rules.joinNumbers,
};
const keys = {
  otherNames: rules.nameKey,
  emails: rules.emailKey,
  phoneNumbers: rules.numberKey,
};
export const nothing: Said = {
  otherNames: [],
  emails: [],
  phoneNumbers: [],
  address: null,
  organisation: null,
};

/** Hashes, since a contact's ranking has a place for what only some of its readers see. */
function ranksOf(said: Said): string[] {
  return LISTS.flatMap((member) => said[member].map((item) => rankOf(member, item)));
}

function rankOf(member: (typeof LISTS)[number], item: string): string {
  return createHash('sha256')
    .update(`${member} ${keys[member](item)}`)
    .digest('base64')
    .slice(0, 12);
}

/** The ranking with new items at its end. */
export function rankLast(ranking: string[], ...all: Said[]): string[] {
  return [...new Set([...ranking, ...all.flatMap(ranksOf)])];
}

/** The ranking with these items first, as a person has just put them. */
export function rankFirst(ranking: string[], said: Said): string[] {
  return [...new Set([...ranksOf(said), ...ranking])];
}

/** What sources say together, in the order of the ranking; of a single member the first that there is. */
export function together(all: Said[], ranking: string[]): Said {
  const places = new Map(ranking.map((rank, place) => [rank, place]));
  const arranged = (member: (typeof LISTS)[number]) => {
    const placeOf = (item: string) => places.get(rankOf(member, item)) ?? places.size;
    const items = all.flatMap((said) => said[member]);
    return joins[member](items.toSorted((a, b) => placeOf(a) - placeOf(b)));
  };
  const first = (member: (typeof SINGLE)[number]) =>
    all.find((said) => said[member] !== null)?.[member] ?? null;
  return {
    otherNames: arranged('otherNames'),
    emails: arranged('emails'),
    phoneNumbers: arranged('phoneNumbers'),
    address: first('address'),
    organisation: first('organisation'),
  };
}

/** A source that says more; what it says already stays. */
export function saying<One extends Said>(source: One, said: Said): One {
  return { ...source, ...together([source, said], []) };
}

/** What someone changed of what they saw: a source keeps what they left, as they wrote it. */
export function leaving<One extends Said>(source: One, { before, after }: Changed): One {
  const lists = LISTS.map((member) => {
    const keyOf = keys[member];
    const left = new Map(after[member].map((item) => [keyOf(item), item]));
    return [member, source[member].flatMap((item) => left.get(keyOf(item)) ?? [])];
  });
  const single = SINGLE.map((member) => [
    member,
    before[member] !== null && after[member] === null ? null : source[member],
  ]);
  return { ...source, ...(Object.fromEntries([...lists, ...single]) as Said) };
}

export type Changed = { before: Said; after: Said };

/** What was entered at a contact, after someone changed what they saw. */
export function entering<One extends Said>(source: One, changed: Changed): One {
  const { before, after } = changed;
  const added = { ...nothing, ...without(after, before) };
  const single = SINGLE.map((member) => [
    member,
    after[member] === before[member] ? source[member] : after[member],
  ]);
  const joined = saying(leaving(source, changed), { ...added, address: null, organisation: null });
  return { ...joined, ...(Object.fromEntries(single) as Pick<Said, (typeof SINGLE)[number]>) };
}

/** The lists without what the others have. */
export function without<One extends Said>(
  said: One,
  other: Pick<Said, (typeof LISTS)[number]>,
): One {
  const lists = LISTS.map((member) => {
    const taken = new Set(other[member].map(keys[member]));
    return [member, said[member].filter((item) => !taken.has(keys[member](item)))];
  });
  return { ...said, ...(Object.fromEntries(lists) as Said) };
}

export function isSame(one: Said, other: Said): boolean {
  return [...LISTS, ...SINGLE].every(
    (member) => JSON.stringify(one[member]) === JSON.stringify(other[member]),
  );
}

export function saidIn({ otherNames, emails, phoneNumbers, address, organisation }: Said): Said {
  return { otherNames, emails, phoneNumbers, address, organisation };
}
