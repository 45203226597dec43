// The client and the opposing counsel of a case, as contacts.

import type { Case } from '@matterdesk/contract/cases.ts';
import type { Embedding, PartyRole } from '@matterdesk/contract/contacts.ts';
import { nameKey } from '../../db/search.ts';
import * as rules from './rules.ts';

/** The parts of a case that describe its client and its opposing counsel. */
export type Copies = { id: string } & Pick<Case, Embedding | 'access'>;

/** A contact as a case describes it. */
export type CaseContact = {
  caseId: string;
  embedded: Embedding;
  role: PartyRole;
  details: rules.Details;
  /** Whether anyone has no access to the case. */
  isWalled: boolean;
};

/** Clients of cases are people unless their names say otherwise. */
const LEGAL_FORM =
  /\b(inc|incorporated|llc|l\.l\.c|llp|lp|ltd|limited|plc|corp|corporation|company|co|gmbh|ag|s\.?a|n\.?a|trust|bank|foundation|association)\.?$/i;

const roles: Record<Embedding, PartyRole> = {
  clientInfo: 'client',
  opposingCounselInfo: 'opposingCounsel',
};

/** The client, and the counsel where the case names one. */
export function contactsOfCase(matter: Copies): CaseContact[] {
  return (['clientInfo', 'opposingCounselInfo'] as const).flatMap(
    (embedded) => contactInCase(matter, embedded) ?? [],
  );
}

/** Undefined for an opposing counsel who is not known yet. */
export function contactInCase(matter: Copies, embedded: Embedding): CaseContact | undefined {
  const details = detailsOf(matter, embedded);
  const [role, isWalled] = [roles[embedded], matter.access !== undefined];
  return details && { caseId: matter.id, embedded, role, details, isWalled };
}

export function detailsOf(matter: Copies, embedded: Embedding): rules.Details | undefined {
  const { name, phoneNumber, email, address } = textsOf(matter[embedded]);
  const isCounsel = embedded === 'opposingCounselInfo';
  const organization = isCounsel ? (matter.opposingCounselInfo.organization ?? '') : '';
  const title = name || organization;
  if (title === '') return undefined;
  const isOrganization = isCounsel ? name === '' : LEGAL_FORM.test(title.trim());
  return rules.toDetails({
    kind: isOrganization ? 'organisation' : 'person',
    name: title,
    organisation: name === '' ? null : organization,
    emails: [email].filter(Boolean),
    phoneNumbers: [phoneNumber].filter(Boolean),
    address,
  });
}

/** Details for a contact known only by name. */
export function detailsOfName(name: string): rules.Details {
  return rules.toDetails({ kind: kindOfName(name), name });
}

export function kindOfName(name: string): rules.Details['kind'] {
  return LEGAL_FORM.test(name.trim()) ? 'organisation' : 'person';
}

/** The details that a case has only since its change. */
export function newlySaid(before: Copies, after: CaseContact): rules.Details {
  const { details, embedded } = after;
  const old = detailsOf(before, embedded);
  const said = <T>(was: T, is: T, none: T) =>
    JSON.stringify(was) === JSON.stringify(is) ? none : is;
  return {
    ...details,
    emails: said(old?.emails, details.emails, []) ?? [],
    phoneNumbers: said(old?.phoneNumbers, details.phoneNumbers, []) ?? [],
    address: said(old?.address ?? null, details.address, null),
    organisation: said(old?.organisation ?? null, details.organisation, null),
  };
}

/** Whether a case still refers to this contact after its copy has changed. */
export function isSameName(contact: rules.Details, before: string, after: string): boolean {
  const known = [before, contact.name, ...contact.otherNames].map(nameKey);
  return known.includes(nameKey(after));
}

type Member = 'name' | 'phoneNumber' | 'email' | 'address';
type Texts = Record<Member, string>;
/** A party as a case has it, which may lack all but the client's name. */
type Copy = Record<Member, string | null>;

function textsOf({ name, phoneNumber, email, address }: Copy): Texts {
  return {
    name: name ?? '',
    phoneNumber: phoneNumber ?? '',
    email: email ?? '',
    address: address ?? '',
  };
}

/** Changes for a case's copy of a changed contact: the members that matched the contact before. */
export function copyChange(
  copy: Copy & { organization?: string | null },
  before: rules.Details,
  after: rules.Details,
): Partial<Texts & { organization: string }> {
  const values = ({ name, phoneNumbers, emails, address, organisation }: rules.Details) => ({
    name,
    phoneNumber: phoneNumbers[0] ?? '',
    email: emails[0] ?? '',
    address: address ?? '',
    organization: organisation ?? '',
  });
  const [old, next] = [values(before), values(after)];
  const members = (Object.keys(copy) as (keyof typeof old)[]).filter(
    (member) =>
      (copy[member] ?? '') === old[member] && next[member] !== old[member] && next[member] !== '',
  );
  return Object.fromEntries(members.map((member) => [member, next[member]]));
}
