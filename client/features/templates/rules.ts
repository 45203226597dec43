import { caseTypes, type Case, type CasePatch, type CaseType } from '@matterdesk/contract/cases.ts';
import type { ContactPatch, Party } from '@matterdesk/contract/contacts.ts';
import type { FirmPatch } from '@matterdesk/contract/firm.ts';
import { rankItems } from '@matterdesk/contract/ranking.ts';
import type { TemplateInput, MadeDocument, Template } from '@matterdesk/contract/templates.ts';
import { formatCount } from '../../core/words.ts';

type Section = { title: string; templates: Template[] };
const RECENT = 3;

/** Templates whose name contains each word, best match first. */
export function matchTemplates(templates: readonly Template[], search: string): Template[] {
  return rankItems(templates, search, ({ name }) => ({ names: [name] }));
}

/** Usable templates: those used last, those for the type of the case, and those for every type. */
export function sectionsOf(
  templates: readonly Template[],
  { type, recent, search }: { type: CaseType; recent: readonly string[]; search: string },
): Section[] {
  const found = matchTemplates(templates, search);
  const usable = found.filter(({ active, version }) => active && version !== null);
  const last = recent
    .flatMap((id) => usable.find((template) => template.id === id) ?? [])
    .slice(0, RECENT);
  const others = usable.filter((template) => !last.includes(template));
  return [
    { title: 'Recent', templates: last },
    {
      title: `For ${type} matters`,
      templates: others.filter(({ types }) => types.includes(type)),
    },
    { title: 'For every matter', templates: others.filter(({ types }) => types.length === 0) },
    {
      title: 'For other matters',
      templates: others.filter(({ types }) => types.length > 0 && !types.includes(type)),
    },
  ].filter((section) => section.templates.length > 0);
}

/** 'PI, Civil', or 'Every type'. */
export function typesInWords(types: readonly CaseType[]): string {
  return types.length === 0 || types.length === caseTypes.length ? 'Every type' : types.join(', ');
}

/** 'Page 1, twice' */
export function placesInWords({ places, count }: Pick<TemplateInput, 'places' | 'count'>): string {
  const [first = '', ...more] = places;
  const times = count === 1 ? '' : count === 2 ? ', twice' : `, ${formatCount(count)} times`;
  return `${[first, ...more].slice(0, 3).join(', ')}${more.length > 2 ? ' …' : ''}${times}`;
}

/** One row for each empty field, however many recipients lack it; fields in the order of the letter, questions last. */
export function rowsOf(
  missing: readonly TemplateInput[],
): (TemplateInput & { recipients: string[] })[] {
  const rows = new Map<string, TemplateInput & { recipients: string[] }>();
  for (const one of missing) {
    const known = rows.get(one.path);
    if (known) known.recipients.push(one.for ?? '');
    else rows.set(one.path, { ...one, recipients: [one.for ?? ''] });
  }
  return [...rows.values()].toSorted((a, b) => Number(a.isQuestion) - Number(b.isQuestion));
}

/** Whether several recipients lack a field that each has for itself: one answer would be wrong for the others. */
export function isPerRecipient({
  path,
  recipients,
}: {
  path: string;
  recipients: string[];
}): boolean {
  return path.startsWith('recipient.') && recipients.length > 1;
}

/** Facts that are kept beside the documents: members by whom they belong to. */
export type SavedAnswers = {
  case: CasePatch | undefined;
  /** Ids of contacts, and what they gain. */
  contacts: (readonly [string, ContactPatch])[];
  firm: FirmPatch | undefined;
};

type Owners = {
  parties: readonly Party[];
  /** Ids of the recipients that lack a field. */
  recipients: readonly string[];
  /** Whether the reader may change the firm. */
  isAdmin: boolean;
  canChange: boolean;
};

const COPIED = {
  client: ['name', 'phoneNumber', 'email', 'address'],
  opposingCounsel: ['organization', 'name', 'phoneNumber', 'email', 'address'],
} as const;
const INFO = { client: 'clientInfo', opposingCounsel: 'opposingCounselInfo' } as const;
const OF_CONTACTS = new Set(
  'name organisation salutation letterName address fax dateOfBirth email phoneNumber'.split(' '),
);
const OF_CASES = new Set(
  'caseName caseNo judge dateOfOpening managingAttorney DOI SOL type status'.split(' '),
);
const OF_FIRM = new Set(['name', 'address', 'phone', 'letterhead']);

type Place =
  | { of: 'case'; member: string; info?: (typeof INFO)[keyof typeof INFO] }
  | { of: 'contact'; id: string; member: string }
  | { of: 'firm'; member: string };

/** The place of an answer besides the letter; null for what belongs nowhere else, or to what the reader may not change. */
export function placeOf(path: string, owners: Owners): Place | null {
  const [group = '', member = ''] = path.split('.');
  if (group === 'firm')
    return owners.isAdmin && OF_FIRM.has(member) ? { of: 'firm', member } : null;
  if (!owners.canChange) return null;
  if (group === 'case') return OF_CASES.has(member) ? { of: 'case', member } : null;
  if (group === 'client' || group === 'opposingCounsel') {
    const copied: readonly string[] = COPIED[group];
    if (copied.includes(member)) return { of: 'case', member, info: INFO[group] };
    const party = owners.parties.find(({ embedded }) => embedded === INFO[group]);
    return party && OF_CONTACTS.has(member)
      ? { of: 'contact', id: party.contact.id, member }
      : null;
  }
  const [id] = owners.recipients;
  if (group === 'recipient' && id && owners.recipients.length === 1 && OF_CONTACTS.has(member))
    return { of: 'contact', id, member };
  return null;
}

/** Answers by the place to which each belongs. */
export function toSavedAnswers(answers: readonly (readonly [Place, string])[]): SavedAnswers {
  const matter: Record<string, unknown> = {};
  const contacts = new Map<string, Record<string, unknown>>();
  const firm: Record<string, unknown> = {};
  for (const [place, value] of answers) {
    if (place.of === 'firm') firm[place.member] = value;
    else if (place.of === 'contact') {
      const known = contacts.get(place.id) ?? {};
      contacts.set(place.id, { ...known, ...memberOf(place.member, value) });
    } else if (place.info)
      matter[place.info] = { ...(matter[place.info] as object), [place.member]: value };
    else matter[place.member] = value;
  }
  return {
    case: Object.keys(matter).length > 0 ? matter : undefined,
    contacts: [...contacts].map(([id, patch]) => [id, patch] as const),
    firm: Object.keys(firm).length > 0 ? firm : undefined,
  };
}

/** The field was empty, so that a list of addresses or numbers has this one alone. */
function memberOf(member: string, value: string): Record<string, unknown> {
  if (member === 'email') return { emails: [value] };
  if (member === 'phoneNumber') return { phoneNumbers: [value] };
  return { [member]: value };
}

/** 'Create 2 drafts' while something is empty, 'Create 2 documents' after. */
export function createInWords(count: number, empty: number): string {
  const thing = empty > 0 ? 'draft' : 'document';
  return count === 1 ? `Create ${thing}` : `Create ${formatCount(count)} ${thing}s`;
}

/** Beside the button: why names end in DRAFT. */
export function draftInWords(empty: number, count: number): string {
  if (empty === 0) return '';
  const fields = empty === 1 ? '1 field is' : `${formatCount(empty)} fields are`;
  return `${fields} empty, so the ${count === 1 ? 'name ends' : 'names end'} in DRAFT.`;
}

/** 'Records request is in Medical', or how many. */
export function madeInWords(made: readonly MadeDocument[], folder: string): string {
  const done = made.filter(({ url }) => url !== null).length;
  const failed = made.length - done;
  const said = done === 1 ? `The document is in ${folder}` : `${done} documents are in ${folder}`;
  return failed === 0 ? said : `${said}; ${failed} could not be made`;
}

/** Templates that were used for the case last, the newest first. */
export function recentOf(made: readonly { template: string }[]): string[] {
  return [...new Set(made.map(({ template }) => template))];
}

export type Matter = Pick<Case, 'id' | 'caseName' | 'type'>;
