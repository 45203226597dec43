import { createHash } from 'node:crypto';
import type { Case } from '@matterdesk/contract/cases.ts';
import type { NameRow, NameSource, NewName, NewWord } from '../../../db/names.ts';
import { dictionaryWords, tokensOf } from '../matching/rules.index.ts';
import { parseName } from '../matching/rules.names.ts';
import { keysOf } from '../matching/rules.spelling.ts';

/** A name to keep, with what it belongs to and how else it is known. */
export type SavedName = {
  name: string;
  /** A role of a party, or attorney, person, correspondent, caseName, fileName. */
  role: string;
  caseId?: string | null;
  intakeId?: string | null;
  contactId?: string | null;
  /** Whose mail or texts it comes from: others are referred to them. */
  ownerId?: string | null;
  emails?: string[];
  phoneNumbers?: string[];
};
export type Named = { source: NameSource; id: string; names: SavedName[] };

/** Fewer digits are an extension, or no number at all. */
const LEAST_DIGITS = 7;
/** Longer words are no names. */
const LONGEST_WORD = 40;
/** Characters; more is a sentence, no name. */
const LONGEST_NAME = 200;

/** The digits that are called, as `phone_digits` in the database. */
function phoneDigits(written: string): string {
  const [bare = ''] = written
    .trim()
    .replaceAll('(0)', '')
    .split(/x|ext|#/i);
  const digits = bare.replaceAll(/[^0-9]/g, '');
  if (bare.startsWith('+')) return digits;
  if (digits.startsWith('00')) return digits.slice(2);
  if (digits.startsWith('011')) return digits.slice(3);
  return digits.length === 10 ? `1${digits}` : digits;
}

/** E-mail addresses and phone numbers as they are compared. */
export function identifiersOf(who: { emails?: string[]; phoneNumbers?: string[] }): string[] {
  const emails = (who.emails ?? []).map((email) => email.trim().toLowerCase());
  const digits = (who.phoneNumbers ?? []).map(phoneDigits);
  const called = digits.filter((number) => number.length >= LEAST_DIGITS);
  return [...new Set([...emails.filter((email) => email.includes('@')), ...called])];
}

/** Rows and words of the dictionary. @param isChecked whether they were there before */
export function toRows(all: Named[], isChecked: boolean) {
  const names: NewName[] = [];
  const words = new Map<string, NewWord>();
  for (const { source, id, names: given } of all)
    for (const saved of unique(given)) {
      const parsed = parseName(saved.name);
      names.push({
        ...toRow(source, id, saved),
        words: tokensOf(parsed).filter((word) => word.length <= LONGEST_WORD),
        is_checked: isChecked,
      });
      for (const word of dictionaryWords(parsed))
        if (!words.has(word) && word.length <= LONGEST_WORD)
          words.set(word, { word, keys: keysOf(word) });
    }
  const of = all.map(({ source, id: source_id }) => ({ source, source_id }));
  return { of, names, words: [...words.values()] };
}

/** One row for a name in a role. */
function unique(names: SavedName[]): SavedName[] {
  const kept = names.filter(({ name }) => name.trim() !== '');
  return [...new Map(kept.map((saved) => [`${saved.role}\n${saved.name}`, saved])).values()];
}

function toRow(source: NameSource, source_id: string, saved: SavedName): NameRow {
  return {
    source,
    source_id,
    case_id: saved.caseId ?? null,
    intake_id: saved.intakeId ?? null,
    contact_id: saved.contactId ?? null,
    owner_id: saved.ownerId ?? null,
    role: saved.role,
    name: saved.name,
    identifiers: identifiersOf(saved),
  };
}

type NamedCase = Pick<
  Case,
  'id' | 'caseName' | 'judge' | 'managingAttorney' | 'clientInfo' | 'opposingCounselInfo'
>;

/** The client, opposing counsel, judge and attorney of a case, and the case's own name. */
export function namesOfCase(matter: NamedCase): Named[] {
  const { id, caseName, judge, managingAttorney, clientInfo: client } = matter;
  const { opposingCounselInfo: counsel } = matter;
  const ways = { emails: [counsel.email], phoneNumbers: [counsel.phoneNumber] };
  const parties: SavedName[] = [
    {
      name: client.name,
      role: 'client',
      emails: [client.email],
      phoneNumbers: [client.phoneNumber],
    },
    { name: counsel.name, role: 'opposingCounsel', ...ways },
    { name: counsel.organization, role: 'opposingCounsel', ...ways },
    { name: judge, role: 'judge' },
    { name: managingAttorney, role: 'attorney' },
  ];
  const toCaseName = (name: string) => ({ name, role: 'caseName', caseId: id });
  return [
    { source: 'parties', id, names: parties.map((party) => ({ ...party, caseId: id })) },
    { source: 'caseNames', id, names: sidesOf(caseName).map(toCaseName) },
  ];
}

type NamedIntake = {
  id: string;
  name: string;
  email: string | null;
  phoneNumber: string | null;
  parties: { name: string; role: string }[];
  /** The matter that it became. */
  caseId: string | null;
  isSpam: boolean;
};

/** The person who asks, and the people named with them; none for spam. */
export function namesOfIntake(intake: NamedIntake): Named {
  const { id, name, email, phoneNumber, parties, caseId, isSpam } = intake;
  const emails = email === null ? [] : [email];
  const phoneNumbers = phoneNumber === null ? [] : [phoneNumber];
  const all = [{ name, role: 'client', emails, phoneNumbers }, ...parties];
  const names = isSpam ? [] : all.map((one) => ({ ...one, intakeId: id, caseId }));
  return { source: 'intakes', id, names };
}

type NamedContact = {
  id: string;
  name: string;
  otherNames: string[];
  organisation: string | null;
  emails: string[];
  phoneNumbers: string[];
};

/** Under each of its names; its roles are those of its parties today. */
export function namesOfContact({ id, ...contact }: NamedContact): Named {
  const { name, otherNames, organisation, emails, phoneNumbers } = contact;
  const written = [name, ...otherNames, ...(organisation === null ? [] : [organisation])];
  const toName = (each: string) => ({
    name: each,
    role: 'contact',
    contactId: id,
    emails,
    phoneNumbers,
  });
  return { source: 'contacts', id, names: written.map(toName) };
}

type NamedSource = {
  id: string;
  caseId: string | null;
  /** What the contact is in the matter. */
  role: string | null;
  isWalled: boolean;
  otherNames: string[];
  organisation: string | null;
  emails: string[];
  phoneNumbers: string[];
};

/** A contact's names with what only a walled matter says; none for an open one, which the contact says itself. */
export function namesOfSource(contact: string, source: NamedSource): Named {
  const { id, caseId, isWalled, otherNames, organisation, emails, phoneNumbers } = source;
  const role = source.role ?? 'contact';
  const written = [contact, ...otherNames, ...(organisation === null ? [] : [organisation])];
  const toName = (name: string) => ({ name, role, caseId, emails, phoneNumbers });
  return { source: 'contacts', id, names: isWalled ? written.map(toName) : [] };
}

/** Each side of `Reyes v. Calloway Foods`. */
function sidesOf(caseName: string): string[] {
  return caseName.split(/ vs?\.? /i).filter((side) => side.trim() !== '');
}

type NamedUser = {
  id: string;
  firstName: string;
  lastName: string;
  email: string;
  phoneNumber: string;
};

export function namesOfUser({ id, firstName, lastName, email, phoneNumber }: NamedUser): Named {
  const name = `${firstName} ${lastName}`;
  const ways = { emails: [email], phoneNumbers: [phoneNumber] };
  return { source: 'people', id, names: [{ name, role: 'person', ...ways }] };
}

/** A file's name without its type; none for a deleted one. */
export function namesOfFile(file: { id: string; caseId: string; name: string }): Named {
  const name = file.name.replace(/\.[a-z0-9]{1,5}$/i, '');
  const named = { name, role: 'fileName', caseId: file.caseId };
  return { source: 'fileNames', id: file.id, names: [named] };
}

/** A number with which a user exchanged texts. */
export function namesOfNumber(ownerId: string, number: string): Named {
  const names = [{ name: number, role: 'correspondent', ownerId, phoneNumbers: [number] }];
  return { source: 'correspondents', id: idOf(ownerId, number), names };
}

/** An address with which a user exchanged mails, under the name that was written with it, or under the address. */
export function namesOfAddress(
  ownerId: string,
  { name: written, email }: { name: string; email: string },
): Named {
  const name = written === '' ? email : written.slice(0, LONGEST_NAME);
  const names = [{ name, role: 'correspondent', ownerId, emails: [email] }];
  return { source: 'correspondents', id: idOf(ownerId, email.toLowerCase(), name), names };
}

/** A UUID that is the same for the same parts. */
function idOf(...parts: string[]): string {
  const digest = createHash('sha256').update(parts.join('\n')).digest('hex');
  return digest.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
