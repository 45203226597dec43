import { createHash } from 'node:crypto';
import type { Case } from '@matterdesk/contract/cases.ts';
import { fullName } from '../../../core/actor.ts';
import type { NameRow, NameSource, NewName, NewWord } from '../../../db/names.ts';
import { dictionaryWords, tokensOf } from '../matching/rules.index.ts';
import { identifiersOf, parseName } from '../matching/rules.names.ts';
import { keysOf } from '../matching/rules.spelling.ts';

/** A name to save, with what it belongs to and its addresses and numbers. */
type SavedName = {
  name: string;
  /** A role of a party, or attorney, person, correspondent, caseName, fileName. */
  role: string;
  caseId?: string | null;
  intakeId?: string | null;
  contactId?: string | null;
  /** The user from whose mail or texts it comes, and whom others are to ask. */
  ownerId?: string | null;
  emails?: string[];
  phoneNumbers?: string[];
};
export type SourceNames = { source: NameSource; id: string; names: SavedName[] };

/** Longer words are not names. */
const MAX_WORD_LENGTH = 40;
/** Characters; more is a sentence, not a name. */
const MAX_NAME_LENGTH = 200;

/** Rows, and words for the dictionary. @param isChecked raises no alerts */
export function toRows(all: SourceNames[], isChecked: boolean) {
  const names: NewName[] = [];
  const words = new Map<string, NewWord>();
  for (const { source, id, names: given } of all)
    for (const saved of unique(given)) {
      const parsed = parseName(saved.name);
      names.push({
        ...toRow(source, id, saved),
        words: tokensOf(parsed).filter((word) => word.length <= MAX_WORD_LENGTH),
        is_checked: isChecked,
      });
      for (const word of dictionaryWords(parsed))
        if (!words.has(word) && word.length <= MAX_WORD_LENGTH)
          words.set(word, { word, keys: keysOf(word) });
    }
  const of = all.map(({ source, id: source_id }) => ({ source, source_id }));
  return { of, names, words: [...words.values()] };
}

/** Keeps one row for a name in a role. */
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

/** A list of what may be missing, such as the email of a case that is not filed yet. */
export function nonEmpty(text: string | null): string[] {
  return text === null || text === '' ? [] : [text];
}

type NamedCase = Pick<
  Case,
  'id' | 'caseName' | 'judge' | 'managingAttorney' | 'clientInfo' | 'opposingCounselInfo'
>;

/** The client, opposing counsel, judge and attorney of a case, and the case's own name. */
export function namesOfCase(matter: NamedCase): SourceNames[] {
  const { id, caseName, judge, managingAttorney, clientInfo: client } = matter;
  const { opposingCounselInfo: counsel } = matter;
  const ways = { emails: nonEmpty(counsel.email), phoneNumbers: nonEmpty(counsel.phoneNumber) };
  const parties: SavedName[] = [
    {
      name: client.name,
      role: 'client',
      emails: nonEmpty(client.email),
      phoneNumbers: nonEmpty(client.phoneNumber),
    },
    { name: counsel.name ?? '', role: 'opposingCounsel', ...ways },
    { name: counsel.organization ?? '', role: 'opposingCounsel', ...ways },
    { name: judge ?? '', role: 'judge' },
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
export function namesOfIntake(intake: NamedIntake): SourceNames {
  const { id, name, email, phoneNumber, parties, caseId, isSpam } = intake;
  const ways = { emails: nonEmpty(email), phoneNumbers: nonEmpty(phoneNumber) };
  const all = [{ name, role: 'client', ...ways }, ...parties];
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

/** All names of a contact. Its roles are those of its parties today. */
export function namesOfContact({ id, ...contact }: NamedContact): SourceNames {
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
  /** The contact's role in the matter. */
  role: string | null;
  isWalled: boolean;
  otherNames: string[];
  organisation: string | null;
  emails: string[];
  phoneNumbers: string[];
};

/** A contact's names with the details of a walled matter; none for an open matter, whose details the contact has. */
export function namesOfSource(contact: string, source: NamedSource): SourceNames {
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

export function namesOfUser({ id, email, phoneNumber, ...person }: NamedUser): SourceNames {
  const name = fullName(person);
  const ways = { emails: [email], phoneNumbers: [phoneNumber] };
  return { source: 'people', id, names: [{ name, role: 'person', ...ways }] };
}

/** A file's name without its type; none for a deleted one. */
export function namesOfFile(file: { id: string; caseId: string; name: string }): SourceNames {
  const name = file.name.replace(/\.[a-z0-9]{1,5}$/i, '');
  const named = { name, role: 'fileName', caseId: file.caseId };
  return { source: 'fileNames', id: file.id, names: [named] };
}

/** The number of someone with whom a user exchanged texts. */
export function namesOfNumber(ownerId: string, number: string): SourceNames {
  const names = [{ name: number, role: 'correspondent', ownerId, phoneNumbers: [number] }];
  return { source: 'correspondents', id: idOf(ownerId, number), names };
}

/** The address of someone with whom a user exchanged mail, under the name written with it, or under the address. */
export function namesOfAddress(
  ownerId: string,
  { name: written, email }: { name: string; email: string },
): SourceNames {
  const name = written === '' ? email : written.slice(0, MAX_NAME_LENGTH);
  const names = [{ name, role: 'correspondent', ownerId, emails: [email] }];
  return { source: 'correspondents', id: idOf(ownerId, email.toLowerCase(), name), names };
}

/** A UUID derived from the parts. */
function idOf(...parts: string[]): string {
  const digest = createHash('sha256').update(parts.join('\n')).digest('hex');
  return digest.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
