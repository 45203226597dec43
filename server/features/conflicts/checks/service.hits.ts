import { randomUUID } from 'node:crypto';
import type { AskedName } from '@matterdesk/contract/conflicts.ts';
import type { Relation } from '@matterdesk/contract/contacts.ts';
import { contentUrl } from '@matterdesk/contract/files.ts';
import type { Agreement } from '../matching/service.ts';
import * as rules from './rules.ts';
import type { listCases, listFiles, listIntakes, Standing } from './store.facts.ts';

type Matter = Awaited<ReturnType<typeof listCases>>[number];
/** What found names stand on, by id; the matters of contacts by the contact that was found. */
export type Facts = {
  cases: Map<string, Matter>;
  files: Map<string, Awaited<ReturnType<typeof listFiles>>[number]>;
  intakes: Map<string, Awaited<ReturnType<typeof listIntakes>>[number]>;
  standings: Map<string, Standing[]>;
};
type Naming = {
  name: AskedName;
  index: number;
  known: Facts;
  subject: { caseId: string | null; intakeId: string | null };
};

/** A link adds doubt to what a name says. */
const LINKED = 0.7;
export const nothing = { contact: null, case: null, intake: null, file: null };

const relations: Record<Relation, string> = {
  relative: 'a relative of',
  parentCompany: 'in one group of companies with',
  officer: 'linked as an officer with',
  owner: 'linked as an owner with',
  employee: 'linked as an employee with',
  insurer: 'linked as an insurer with',
  other: 'linked with',
};

/** One hit for each place where an agreeing name stands; none where that was removed meanwhile. */
export function toHits(agreement: Agreement, naming: Naming): rules.KeptHit[] {
  const { row } = agreement;
  if (row.source === 'contacts' && row.contact_id !== null) return hitsOfContact(agreement, naming);
  const { known } = naming;
  const matter = row.case_id === null ? undefined : known.cases.get(row.case_id);
  const intake = row.intake_id === null ? undefined : known.intakes.get(row.intake_id);
  const file = row.source === 'fileNames' ? known.files.get(row.source_id) : undefined;
  const isRemoved =
    (row.case_id !== null && !matter) ||
    (row.intake_id !== null && !intake) ||
    (row.source === 'fileNames' && !file);
  if (isRemoved) return [];
  const place = { source: row.source, role: row.role, statusType: matter?.status_type };
  return [
    {
      ...described(agreement, naming),
      severity: rules.severityOf(naming.name.role, place),
      found: {
        ...nothing,
        name: row.name,
        role: row.role,
        source: row.source,
        case: toCase(matter),
        intake: intake ? { id: intake.id, number: Number(intake.number), name: intake.name } : null,
        file: file ? toFile(file) : null,
      },
      of: {
        source: row.source,
        id: row.source_id,
        ownerId: row.owner_id,
        fileId: file?.id ?? null,
      },
    },
  ];
}

function described({ match, score, reason, isWhole }: Agreement, { index }: Naming) {
  const rounded = Math.round(score * 100) / 100;
  return { id: randomUUID(), name: index, match, score: rounded, reason, isWhole };
}

/** A contact is what it is in its matters, and in those of the contacts that are linked to it. */
function hitsOfContact(agreement: Agreement, naming: Naming): rules.KeptHit[] {
  const all = naming.known.standings.get(agreement.row.contact_id ?? '') ?? [];
  const { caseId, intakeId } = naming.subject;
  const own = intakeId === null ? undefined : naming.known.intakes.get(intakeId)?.contact_id;
  return all
    .filter((one) => caseId === null || one.case_id !== caseId)
    .filter((one) => one.relation === null || (one.case_id !== null && agreement.isWhole))
    .filter((one) => one.case_id !== null || one.contact_id !== own)
    .map((one) => hitOfStanding(agreement, naming, one));
}

function hitOfStanding(agreement: Agreement, naming: Naming, one: Standing): rules.KeptHit {
  const { row } = agreement;
  const { relation, case_id: caseId, status_type: statusType } = one;
  const role = one.role ?? row.role;
  const source = caseId === null ? ('contacts' as const) : ('parties' as const);
  const name = relation === null ? row.name : one.name;
  const matter =
    caseId !== null && statusType !== null
      ? { id: caseId, caseName: one.case_name ?? '', statusType }
      : null;
  const basis = described(agreement, naming);
  const found = { ...nothing, name, role, source, contact: { id: one.contact_id, name: one.name } };
  const place = { source, role, statusType: statusType ?? undefined };
  const contactIds = [...new Set([one.asked, one.contact_id])];
  return {
    ...basis,
    ...(relation !== null && {
      match: 'linked' as const,
      score: Math.round(basis.score * LINKED * 100) / 100,
      reason: `${basis.reason} '${row.name}' is ${relations[relation]} '${one.name}'.`,
    }),
    severity: relation === null ? rules.severityOf(naming.name.role, place) : 'related',
    found: { ...found, case: matter },
    of: { source, id: caseId ?? one.contact_id, ownerId: null, fileId: null, contactIds },
  };
}

export function toCase(row: Matter | undefined) {
  return row ? { id: row.id, caseName: row.case_name, statusType: row.status_type } : null;
}

export function toFile(file: { case_id: string; folder: string; name: string }) {
  return { url: contentUrl(file.case_id, file.folder, file.name), name: file.name };
}
