import { randomUUID } from 'node:crypto';
import type { AskedName, Source } from '@matterdesk/contract/conflicts.ts';
import { contentUrl } from '@matterdesk/contract/files.ts';
import { countNames } from '../../../db/names.ts';
import type { Database, Scoped } from '../../../db/schema.ts';
import { findAgreements, type Agreement } from '../matching/service.ts';
import * as rules from './rules.ts';
import * as facts from './store.facts.ts';

/** The matter or intake that a check is about: its own names are no hits. */
export type Subject = { caseId: string | null; intakeId: string | null };
type Asked = { names: AskedName[]; subject: Subject; withTexts: boolean; most: number };
type Facts = {
  cases: Map<string, Awaited<ReturnType<typeof facts.listCases>>[number]>;
  files: Map<string, Awaited<ReturnType<typeof facts.listFiles>>[number]>;
};

const WHY = 'a conflict check that left out walled matters would be wrong silently';

/** Searches all names, past the walls. What a reader sees of it is decided when it is read. */
export class Finding {
  readonly #db: Scoped;

  constructor(db: Database) {
    this.#db = db.asSystem(WHY);
  }

  /** Whole hits, by name and worst first. @param asked.most hits of one name */
  async find({ names, subject, withTexts, most }: Asked): Promise<rules.KeptHit[]> {
    const agreements = await findAgreements(this.#db, names);
    const others = agreements.map((found) => found.filter((one) => !isOwn(one, subject)));
    const known = await this.#factsOf(others.flat());
    const hits: rules.KeptHit[] = [];
    for (const [index, name] of names.entries()) {
      const found = (others[index] ?? []).map((one) => toHit(one, { name, index, known }));
      if (withTexts) found.push(...(await this.#findInTexts(name.name, index, subject)));
      hits.push(...rules.withoutRepeats(found.filter((hit) => hit !== undefined)).slice(0, most));
    }
    return hits;
  }

  async #factsOf(found: Agreement[]): Promise<Facts> {
    const caseIds = new Set(found.flatMap(({ row }) => row.case_id ?? []));
    const ofFiles = found.filter(({ row }) => row.source === 'fileNames');
    const [cases, files] = await Promise.all([
      facts.listCases(this.#db, [...caseIds]),
      facts.listFiles(
        this.#db,
        ofFiles.map(({ row }) => row.source_id),
      ),
    ]);
    return {
      cases: new Map(cases.map((row) => [row.id, row])),
      files: new Map(files.map((row) => [row.id, row])),
    };
  }

  async #findInTexts(name: string, index: number, { caseId }: Subject): Promise<rules.KeptHit[]> {
    const files = await facts.findInTexts(this.#db, name);
    const others = files.filter((file) => file.case_id !== caseId);
    const ids = [...new Set(others.map((file) => file.case_id))];
    const cases = new Map((await facts.listCases(this.#db, ids)).map((row) => [row.id, row]));
    return others.map((file) => ({
      id: randomUUID(),
      name: index,
      severity: 'mention',
      match: 'exact',
      score: 0.5,
      reason: 'The name appears in a file, not among the parties.',
      isWhole: true,
      found: {
        ...nothing,
        name,
        role: 'text',
        source: 'texts',
        case: toCase(cases.get(file.case_id)),
        file: toFile(file),
      },
      of: { source: 'texts', id: file.id, ownerId: null, fileId: file.id },
    }));
  }

  /** How many names each source has. */
  async countSources(withTexts: boolean): Promise<{ source: Source; count: number }[]> {
    const [counts, texts] = await Promise.all([
      countNames(this.#db),
      withTexts ? facts.countTexts(this.#db) : undefined,
    ]);
    return texts === undefined ? counts : [...counts, { source: 'texts', count: texts }];
  }
}

const nothing = { contact: null, case: null, intake: null, file: null };

function isOwn({ row }: Agreement, { caseId, intakeId }: Subject): boolean {
  return (
    (caseId !== null && row.case_id === caseId) || (intakeId !== null && row.intake_id === intakeId)
  );
}

type Naming = { name: AskedName; index: number; known: Facts };

/** Undefined where what it stands on was removed meanwhile. */
function toHit(agreement: Agreement, { name, index, known }: Naming): rules.KeptHit | undefined {
  const { row, match, score, reason, isWhole } = agreement;
  const matter = row.case_id === null ? undefined : known.cases.get(row.case_id);
  const file = row.source === 'fileNames' ? known.files.get(row.source_id) : undefined;
  if ((row.case_id !== null && !matter) || (row.source === 'fileNames' && !file)) return undefined;
  const place = { source: row.source, role: row.role, statusType: matter?.status_type };
  return {
    id: randomUUID(),
    name: index,
    severity: rules.severityOf(name.role, place),
    match,
    score: Math.round(score * 100) / 100,
    reason,
    isWhole,
    found: {
      ...nothing,
      name: row.name,
      role: row.role,
      source: row.source,
      case: toCase(matter),
      file: file ? toFile(file) : null,
    },
    of: { source: row.source, id: row.source_id, ownerId: row.owner_id, fileId: file?.id ?? null },
  };
}

function toCase(row: Facts['cases'] extends Map<string, infer Row> ? Row | undefined : never) {
  return row ? { id: row.id, caseName: row.case_name, statusType: row.status_type } : null;
}

function toFile(file: { case_id: string; folder: string; name: string }) {
  return { url: contentUrl(file.case_id, file.folder, file.name), name: file.name };
}
