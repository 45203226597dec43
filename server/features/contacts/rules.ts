import {
  type Contact,
  type ContactPatch,
  type NewContact,
  CONTACT_LIST_MAX,
} from '@matterdesk/contract/contacts.ts';
import { fold, nameKey, phoneDigits } from '../../db/search.ts';

export type Details = Omit<Contact, 'id' | 'links' | 'createdAt' | 'updatedAt'>;
/** Details for letters, which no matter says. */
export type Letters = Partial<Pick<Details, (typeof LETTERS)[number]>>;
type ReachableName = Pick<Details, 'name' | 'emails' | 'phoneNumbers'>;

/** Fewer digits are an extension, which many people share. */
const MIN_NUMBER_DIGITS = 6;
const REQUIRED = ['kind', 'name'] as const;
const LISTS = ['otherNames', 'emails', 'phoneNumbers'] as const;
const LETTERS = ['fax', 'salutation', 'letterName'] as const;
const SINGLE = [
  ...(['organisation', 'address', ...LETTERS, 'dateOfBirth', 'notes', 'textConsent'] as const),
];
const MEMBERS = [...REQUIRED, ...LISTS, ...SINGLE] as const;

export function emailKey(email: string): string {
  return `e:${fold(email.trim())}`;
}

/** Empty for texts that are not numbers. */
function phoneKeys(written: string): string[] {
  const digits = phoneDigits(written);
  return digits.length < MIN_NUMBER_DIGITS ? [] : [`p:${digits}`];
}

/** Equal for numbers that count as the same. */
export function numberKey(written: string): string {
  return phoneKeys(written)[0] ?? written;
}

export function addressKeys({ emails, phoneNumbers }: Omit<ReachableName, 'name'>): string[] {
  return [...emails.map(emailKey), ...phoneNumbers.flatMap(phoneKeys)];
}

/** Keys of a name with an address or number. Contacts that share such a key are the same. */
export function sameKeys(named: ReachableName): string[] {
  const name = nameKey(named.name);
  return addressKeys(named).map((key) => `${name}\n${key}`);
}

/** Keys that make two contacts look alike. */
export function lookalikeKeys(details: ReachableName & Pick<Details, 'otherNames'>): string[] {
  const names = [details.name, ...details.otherNames].map((name) => `n:${nameKey(name)}`);
  return [...new Set([...names, ...addressKeys(details)])];
}

/** Keys of a source's details. */
export function sourceKeys(
  said: Pick<Details, 'otherNames' | 'emails' | 'phoneNumbers'>,
): string[] {
  const names = said.otherNames.map((name) => `n:${nameKey(name)}`);
  return [...new Set([...names, ...addressKeys(said)])];
}

export function keysOf(details: ReachableName & Pick<Details, 'otherNames'>): string[] {
  return [...lookalikeKeys(details), ...sameKeys(details)];
}

/** Numbers as Twilio writes them. */
export function textNumbers({ phoneNumbers }: Pick<Details, 'phoneNumbers'>): string[] {
  return phoneNumbers.flatMap(phoneKeys).map((key) => `+${key.slice(2)}`);
}

/** Joins lists without repetitions, up to the limit of a list. */
function joinLists(keyOf: (item: string) => string, ...lists: string[][]): string[] {
  const kept = new Map<string, string>();
  for (const item of lists.flat()) if (!kept.has(keyOf(item))) kept.set(keyOf(item), item);
  return [...kept.values()].slice(0, CONTACT_LIST_MAX);
}

export const joinNames = (...lists: string[][]) => joinLists(nameKey, ...lists);
export const joinEmails = (...lists: string[][]) => joinLists(emailKey, ...lists);
export const joinNumbers = (...lists: string[][]) => joinLists(numberKey, ...lists);

/** The details of a new contact, or of one after a patch. */
export function toDetails(input: NewContact | ContactPatch, before: Details = EMPTY): Details {
  const given = Object.fromEntries(
    MEMBERS.flatMap((name) => (input[name] === undefined ? [] : [[name, input[name]]])),
  ) as Partial<Details>;
  const next = { ...before, ...given };
  return {
    ...next,
    otherNames: joinNames(next.otherNames),
    emails: joinEmails(next.emails),
    phoneNumbers: joinNumbers(next.phoneNumbers),
    organisation: next.organisation || null,
    address: next.address || null,
    fax: next.fax || null,
    salutation: next.salutation || null,
    letterName: next.letterName || null,
    notes: next.notes || null,
  };
}

const EMPTY: Details = {
  kind: 'person',
  name: '',
  otherNames: [],
  organisation: null,
  emails: [],
  phoneNumbers: [],
  address: null,
  fax: null,
  salutation: null,
  letterName: null,
  dateOfBirth: null,
  notes: null,
  textConsent: null,
};

/** Details for letters that a contact lacks, and another one has. */
export function missingLetters(one: Details, other: Details): Letters {
  const names = LETTERS.filter((name) => one[name] === null && other[name] !== null);
  return Object.fromEntries(names.map((name) => [name, other[name]]));
}

/** Null for the gained details that a contact still has. */
export function lettersToDrop(one: Details, gained: Letters): Letters {
  const names = LETTERS.filter((name) => gained[name] && one[name] === gained[name]);
  return Object.fromEntries(names.map((name) => [name, null]));
}

/** Members that differ, for the audit log. */
export function changedMembers(before: Details, after: Details): Partial<Details> {
  const changed = MEMBERS.filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  return Object.fromEntries(changed.map((name) => [name, after[name]])) as Partial<Details>;
}

/** The surest thing that a contact has in common with these keys. */
export function sharedBy(keys: string[], other: Details): 'phone' | 'email' | 'name' {
  const shares = sharing(keys, other);
  if (shares('p:')) return 'phone';
  return shares('e:') ? 'email' : 'name';
}

/** The reason why two contacts look alike, if they do. */
export function reasonOf(one: Details, other: Details): string | undefined {
  const shares = sharing(lookalikeKeys(one), other);
  const reasons = [
    ...(shares('e:') ? ['same email address'] : []),
    ...(shares('p:') ? ['same phone number'] : []),
    ...(shares('n:') ? ['same name'] : areSimilar(one, other) ? ['similar name'] : []),
  ];
  const isAlike = shares('e:') || shares('p:') || shares('n:');
  return isAlike ? reasons.join(', ') : undefined;
}

/** Tests for kinds of keys in common. */
function sharing(keys: string[], other: Details): (kind: 'e:' | 'p:' | 'n:') => boolean {
  const own = new Set(keys);
  const shared = lookalikeKeys(other).filter((key) => own.has(key));
  return (kind) => shared.some((key) => key.startsWith(kind));
}

/** Whether two names share a word that is more than an initial. */
function areSimilar(one: Details, other: Details): boolean {
  const words = ({ name, otherNames }: Details) =>
    [name, ...otherNames].flatMap((each) => nameKey(each).split(/[^\p{L}\p{N}]+/u));
  const own = new Set(words(one).filter(({ length }) => length > 2));
  return words(other).some((word) => own.has(word));
}
