import type { ColumnType, Generated, Selectable } from 'kysely';
import type { ContactKind, Embedding, PartyRole, Relation } from '@matterdesk/contract/contacts.ts';
import type { Json, Stamp } from './schema-columns.ts';

type TextConsent = { at: string; wording: string };

export type ContactsTable = {
  id: Generated<string>;
  kind: ContactKind;
  name: string;
  /** Folded, without accents: the order of lists. */
  name_key: string;
  other_names: string[];
  organisation: string | null;
  emails: string[];
  phone_numbers: string[];
  address: string | null;
  fax: string | null;
  salutation: string | null;
  letter_name: string | null;
  date_of_birth: string | null;
  notes: string | null;
  text_consent: ColumnType<TextConsent | null, string | null, string | null>;
  /** Lookup keys, made by `keysOf`. */
  keys: string[];
  search_text: string;
  /** Whether all its matters are walled: kept by triggers. */
  is_walled: ColumnType<boolean, never, never>;
  merged_into: string | null;
  created_at: Stamp;
  updated_at: Stamp;
  /** Hashes of names, addresses and numbers, hidden ones among them, in the order in which people put them. */
  ranking: string[];
};

/** Details of a contact from one matter, or entered at the contact itself. */
export type ContactSourcesTable = {
  id: Generated<string>;
  contact_id: string;
  case_id: string | null;
  /** A copy of the case's, kept by triggers. */
  is_walled: ColumnType<boolean, never, never>;
  other_names: string[];
  emails: string[];
  phone_numbers: string[];
  address: string | null;
  organisation: string | null;
  keys: string[];
  search_text: string;
  /** Increases, to say which matter came first. */
  serial: ColumnType<string, never, never>;
};

type PartiesTable = {
  id: Generated<string>;
  case_id: string;
  contact_id: string;
  role: PartyRole;
  note: string;
  embedded: Embedding | null;
  created_at: Stamp;
};
export type PartyRow = Selectable<PartiesTable>;

export type ContactLinksTable = { contact_id: string; linked_id: string; relation: Relation };

/** `one_id` is the smaller one. */
type DistinctContactsTable = { one_id: string; other_id: string };

type SavedDetails = {
  otherNames: string[];
  emails: string[];
  phoneNumbers: string[];
  address: string | null;
  organisation: string | null;
};
type KeptParty = Omit<PartyRow, 'created_at'>;
/** State that undoing a merge restores. */
export type MergeUndoState = {
  /** Ids of parties that moved. */
  parties: string[];
  /** Parties that would have been there twice. */
  dropped: KeptParty[];
  /** As they were before, and as they are since. */
  linksBefore: ContactLinksTable[];
  linksAfter: ContactLinksTable[];
  /** Details gained by each source of the remaining contact; earlier versions kept only the lists in `gained`. */
  sources?: { caseId?: string | null; said: SavedDetails }[];
  gained?: Pick<SavedDetails, 'otherNames' | 'emails' | 'phoneNumbers'>;
  /** Data that the remaining contact lacked, and has of the other one. */
  letters?: Partial<Record<'fax' | 'salutation' | 'letterName', string | null>>;
  intakes: string[];
};

type ContactMergesTable = {
  id: Generated<string>;
  into_id: string;
  from_id: string;
  by_id: string | null;
  moved: Json<MergeUndoState>;
  at: Stamp;
  undone_at: Date | null;
};

export type ContactTables = {
  contacts: ContactsTable;
  contact_sources: ContactSourcesTable;
  /** Those of walled matters. */
  walled_sources: ContactSourcesTable;
  parties: PartiesTable;
  contact_links: ContactLinksTable;
  distinct_contacts: DistinctContactsTable;
  contact_merges: ContactMergesTable;
};
