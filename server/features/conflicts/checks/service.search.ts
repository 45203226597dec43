// Searches all names, including those of walled matters. The hits that a reader sees are chosen when a record is read.

import { randomUUID } from 'node:crypto';
import type { AskedName, Source } from '@matterdesk/contract/conflicts.ts';
import type { Relation } from '@matterdesk/contract/contacts.ts';
import { contentUrl } from '@matterdesk/contract/files.ts';
import type { Context } from '../../../context.ts';
import { countNames } from '../../../db/names.ts';
import type { Scoped } from '../../../db/schema.ts';
import { findAgreements, type Agreement } from '../matching/service.ts';
import * as rules from './rules.ts';
import * as facts from './store.facts.ts';
import type { listCases, listFiles, listIntakes, ContactRole } from './store.facts.ts';

/** The case or intake that a check is about, whose own names are not hits. */
export type Subject = { caseId: string | null; intakeId: string | null };
type SearchRequest = {
  names: AskedName[];
  subject: Subject;
  withTexts: boolean;
  /** Hits per name. */
  most: number;
  /** Default: all at once, in the database. */
  find?: Find | undefined;
};
/** Finds the rows that agree with each name. */
export type Find = (names: AskedName[], most: number) => Promise<Agreement[][]>;

const WHY = 'a conflict check that left out walled matters would be wrong silently';

type Matter = Awaited<ReturnType<typeof listCases>>[number];
/** Rows that found names refer to, by id. `standings` are by the contact that was found. */
type Facts = {
  cases: Map<string, Matter>;
  files: Map<string, Awaited<ReturnType<typeof listFiles>>[number]>;
  intakes: Map<string, Awaited<ReturnType<typeof listIntakes>>[number]>;
  standings: Map<string, ContactRole[]>;
};
type NameSearch = {
  name: AskedName;
  index: number;
  known: Facts;
  subject: { caseId: string | null; intakeId: string | null };
};

/** Factor for hits that are found through a linked contact. */
const LINKED_FACTOR = 0.7;
const noPlace = { contact: null, case: null, intake: null, file: null };

const relations: Record<Relation, string> = {
  relative: 'a relative of',
  parentCompany: 'in one group of companies with',
  officer: 'linked as an officer with',
  owner: 'linked as an owner with',
  employee: 'linked as an employee with',
  insurer: 'linked as an insurer with',
  other: 'linked with',
};

/** Complete hits, by name and worst first. */
export async function searchNames(
  context: Context,
  { names, subject, withTexts, most, find }: SearchRequest,
): Promise<rules.StoredHit[]> {
  const db = context.db.asSystem(WHY);
  const agreements = await (find ? find(names, most) : findAgreements(db, names, most));
  const others = agreements.map((found) => found.filter((one) => !isOwn(one, subject)));
  const known = await readFacts(db, others.flat());
  const hits: rules.StoredHit[] = [];
  for (const [index, name] of names.entries()) {
    const naming = { name, index, known, subject };
    const found = (others[index] ?? []).flatMap((one) => toHits(one, naming));
    if (withTexts) found.push(...(await findInTexts(db, name.name, { index, ...subject })));
    hits.push(...rules.withoutRepeats(found).slice(0, most));
  }
  return hits;
}

async function readFacts(db: Scoped, found: Agreement[]): Promise<Facts> {
  const caseIds = new Set(found.flatMap(({ row }) => row.case_id ?? []));
  const fileIds = found.flatMap(({ row }) => (row.source === 'fileNames' ? row.source_id : []));
  const intakeIds = new Set(found.flatMap(({ row }) => row.intake_id ?? []));
  const contactIds = new Set(found.flatMap(({ row }) => row.contact_id ?? []));
  const [cases, files, intakes, standings] = await Promise.all([
    facts.listCases(db, [...caseIds]),
    facts.listFiles(db, fileIds),
    facts.listIntakes(db, [...intakeIds]),
    facts.listContactRoles(db, [...contactIds]),
  ]);
  return {
    cases: new Map(cases.map((row) => [row.id, row])),
    files: new Map(files.map((row) => [row.id, row])),
    intakes: new Map(intakes.map((row) => [row.id, row])),
    standings: Map.groupBy(standings, ({ asked }) => asked),
  };
}

async function findInTexts(
  db: Scoped,
  name: string,
  { index, caseId }: Subject & { index: number },
): Promise<rules.StoredHit[]> {
  const files = await facts.findInTexts(db, name);
  const others = files.filter((file) => file.case_id !== caseId);
  const ids = [...new Set(others.map((file) => file.case_id))];
  const cases = new Map((await facts.listCases(db, ids)).map((row) => [row.id, row]));
  return others.map((file) => ({
    id: randomUUID(),
    name: index,
    severity: 'mention',
    match: 'exact',
    score: 0.5,
    reason: 'The name appears in a file, not among the parties.',
    isWhole: true,
    found: {
      ...noPlace,
      name,
      role: 'text',
      source: 'texts',
      case: toCase(cases.get(file.case_id)),
      file: toFile(file),
    },
    of: { source: 'texts', id: file.id, ownerId: null, fileId: file.id },
  }));
}

/** Counts the names of each source. */
export async function countSources(
  context: Context,
  withTexts: boolean,
): Promise<{ source: Source; count: number }[]> {
  const db = context.db.asSystem(WHY);
  const [counts, texts] = await Promise.all([
    countNames(db),
    withTexts ? facts.countTexts(db) : undefined,
  ]);
  return texts === undefined ? counts : [...counts, { source: 'texts', count: texts }];
}

function isOwn({ row }: Agreement, { caseId, intakeId }: Subject): boolean {
  return (
    (caseId !== null && row.case_id === caseId) || (intakeId !== null && row.intake_id === intakeId)
  );
}

/** One hit for each place of an agreeing name; none if that was removed meanwhile. */
function toHits(agreement: Agreement, search: NameSearch): rules.StoredHit[] {
  const { row } = agreement;
  if (row.source === 'contacts' && row.contact_id !== null) return hitsOfContact(agreement, search);
  const { known } = search;
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
      ...basisOf(agreement, search),
      severity: rules.severityOf(search.name.role, place),
      found: {
        ...noPlace,
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

function basisOf({ match, score, reason, isWhole }: Agreement, { index }: NameSearch) {
  const rounded = Math.round(score * 100) / 100;
  return { id: randomUUID(), name: index, match, score: rounded, reason, isWhole };
}

/** Hits in the matters of a contact, and in those of contacts linked to it. */
function hitsOfContact(agreement: Agreement, search: NameSearch): rules.StoredHit[] {
  const all = search.known.standings.get(agreement.row.contact_id ?? '') ?? [];
  const { caseId, intakeId } = search.subject;
  const own = intakeId === null ? undefined : search.known.intakes.get(intakeId)?.contact_id;
  return all
    .filter((one) => caseId === null || one.case_id !== caseId)
    .filter((one) => one.relation === null || (one.case_id !== null && agreement.isWhole))
    .filter((one) => one.case_id !== null || one.contact_id !== own)
    .map((one) => hitOfContactRole(agreement, search, one));
}

function hitOfContactRole(
  agreement: Agreement,
  search: NameSearch,
  one: ContactRole,
): rules.StoredHit {
  const { row } = agreement;
  const { relation, case_id: caseId, status_type: statusType } = one;
  const role = one.role ?? row.role;
  const source = caseId === null ? ('contacts' as const) : ('parties' as const);
  const name = relation === null ? row.name : one.name;
  const matter =
    caseId !== null && statusType !== null
      ? { id: caseId, caseName: one.case_name ?? '', statusType }
      : null;
  const basis = basisOf(agreement, search);
  const found = { ...noPlace, name, role, source, contact: { id: one.contact_id, name: one.name } };
  const place = { source, role, statusType: statusType ?? undefined };
  const contactIds = [...new Set([one.asked, one.contact_id])];
  return {
    ...basis,
    ...(relation !== null && {
      match: 'linked' as const,
      score: Math.round(basis.score * LINKED_FACTOR * 100) / 100,
      reason: `${basis.reason} '${row.name}' is ${relations[relation]} '${one.name}'.`,
    }),
    severity: relation === null ? rules.severityOf(search.name.role, place) : 'related',
    found: { ...found, case: matter },
    of: { source, id: caseId ?? one.contact_id, ownerId: null, fileId: null, contactIds },
  };
}

function toCase(row: Matter | undefined) {
  return row ? { id: row.id, caseName: row.case_name, statusType: row.status_type } : null;
}

function toFile(file: { case_id: string; folder: string; name: string }) {
  return { url: contentUrl(file.case_id, file.folder, file.name), name: file.name };
}
