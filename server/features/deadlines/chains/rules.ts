// Dates that follow a moved trigger, and the proposals about them.

import type { Person } from '@matterdesk/contract/cases.ts';
import type { ComputedDate, CountLine, DeadlineKind } from '@matterdesk/contract/court-rules.ts';
import type { Proposal, ProposalEvent } from '@matterdesk/contract/proposals.ts';
import type { CountingRule, ProposalsTable } from '../../../db/schema-deadlines.ts';
import { countStep, type Court } from '../counting/rules.ts';

/** An open deadline that counts from something. */
export type Dependent = {
  id: string;
  date: string;
  counting: CountingRule;
  trigger_deadline_id: string | null;
  trigger_title: string;
  /** The present day of its trigger; null when that was canceled. */
  trigger_date: string | null;
  /** Whether an earlier proposal to move it is still open. */
  is_proposed: boolean;
};
/** New date of a dependent; `to` is null when its trigger was canceled. */
export type Recounted = Pick<ComputedDate, 'lines'> & {
  to: string | null;
  triggerDate: string | null;
};
type NewCount = Recounted | undefined;

/**
 * Computes new dates of deadlines whose trigger moved, and of those that count from them in turn.
 * @param roots ids of those whose own trigger or court calendar changed
 * @returns those that would move, by id
 */
export function recount(
  rows: readonly Dependent[],
  { roots, courts }: { roots: ReadonlySet<string>; courts: ReadonlyMap<string, Court> },
): Map<string, Recounted> {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const found = new Map<string, NewCount>();
  const find = (row: Dependent): NewCount => {
    if (!found.has(row.id)) found.set(row.id, recountOne(row));
    return found.get(row.id);
  };
  const recountOne = (row: Dependent): NewCount => {
    const above = byId.get(row.trigger_deadline_id ?? '');
    const moved = above && find(above);
    const court = courts.get(row.counting.jurisdiction);
    if (!court || (!moved && !roots.has(row.id) && !row.is_proposed)) return undefined;
    const date = moved ? moved.to : row.trigger_date;
    if (date === null) return { to: null, triggerDate: null, lines: [] };
    const title = row.trigger_title;
    const counted = countStep(court, { counting: row.counting, date, title });
    if (counted.date === row.date) return undefined;
    return { to: counted.date, triggerDate: date, lines: counted.lines };
  };
  const all = rows.map((row) => [row.id, find(row)] as const);
  return new Map(all.filter((entry): entry is [string, Recounted] => entry[1] !== undefined));
}

export type ItemRow = {
  deadline_id: string;
  title: string;
  kind: DeadlineKind;
  hard: boolean;
  case_id: string | null;
  case_name: string | null;
  owner: Person | null;
  second: Person | null;
  from_date: string;
  to_date: string | null;
  trigger_date: string | null;
  lines: CountLine[];
  status: 'open' | 'accepted' | 'kept' | 'replaced';
  reason: string;
};
export type ProposalRow = {
  id: string;
  trigger_type: ProposalsTable['trigger_type'];
  trigger_id: string;
  trigger_title: string;
  by: Person | null;
  at: Date;
  items: ItemRow[];
};

/** The user for whom a proposal is read. */
export type Reader = {
  id: string;
  editsCalendar: boolean;
  isDualControl: boolean;
  /** Ids that count as the reader, who can't be a second person beside them. */
  selfIds: string[];
};

/** Calendar editors and the second decide; under dual control, not about a hard deadline whose trigger they moved. */
export function mayDecide({ by }: Pick<ProposalRow, 'by'>, item: ItemRow, reader: Reader): boolean {
  if (item.status !== 'open') return false;
  if (!reader.editsCalendar && item.second?.id !== reader.id) return false;
  return !item.hard || !reader.isDualControl || by === null || !reader.selfIds.includes(by.id);
}

function statusOf(items: readonly ItemRow[]): Proposal['status'] {
  if (items.some(({ status }) => status === 'open')) return 'open';
  return items.some(({ status }) => status !== 'replaced') ? 'decided' : 'replaced';
}

function toItem(row: ItemRow) {
  return {
    deadline: {
      id: row.deadline_id,
      title: row.title,
      kind: row.kind,
      hard: row.hard,
      case: row.case_id === null ? null : { id: row.case_id, caseName: row.case_name ?? '' },
      owner: row.owner,
      second: row.second,
    },
    from: row.from_date,
    to: row.to_date,
    lines: row.lines,
    status: row.status,
    reason: row.reason,
  };
}

function toHead(row: ProposalRow) {
  return {
    id: row.id,
    trigger: { type: row.trigger_type, id: row.trigger_id, title: row.trigger_title },
    by: row.by,
    at: row.at.toISOString(),
    status: statusOf(row.items),
  };
}

export function toProposal(row: ProposalRow, reader: Reader): Proposal {
  const items = row.items.map((item) => ({
    ...toItem(item),
    canDecide: mayDecide(row, item, reader),
  }));
  return { ...toHead(row), items };
}

/** Splits a proposal by matter, which decides who receives each part. */
export function toCaseNews(row: ProposalRow): ProposalEvent[] {
  const byCase = Map.groupBy(row.items, (item) => item.case_id);
  return [...byCase].map(([caseId, items]) => ({
    ...toHead({ ...row, items }),
    case: caseId,
    items: items.map(toItem),
  }));
}
