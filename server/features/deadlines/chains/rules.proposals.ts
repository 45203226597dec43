import type { Person } from '@matterdesk/contract/cases.ts';
import type { CountLine, DeadlineKind } from '@matterdesk/contract/court-rules.ts';
import type { Proposal, ProposalNews } from '@matterdesk/contract/proposals.ts';
import type { ProposalsTable } from '../../../db/schema-deadlines.ts';

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

/** For whom a proposal is read. */
export type Reader = {
  id: string;
  editsCalendar: boolean;
  isDual: boolean;
  /** Ids of those who are no second person beside the reader, who is one of them. */
  oneselves: string[];
};

/** Editors of the calendar and the second decide; about a hard deadline not who moved the trigger. */
export function mayDecide({ by }: Pick<ProposalRow, 'by'>, item: ItemRow, reader: Reader): boolean {
  if (item.status !== 'open') return false;
  if (!reader.editsCalendar && item.second?.id !== reader.id) return false;
  return !item.hard || !reader.isDual || by === null || !reader.oneselves.includes(by.id);
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

/** One for each matter, which decides who receives it. */
export function toNews(row: ProposalRow): ProposalNews[] {
  const byCase = Map.groupBy(row.items, (item) => item.case_id);
  return [...byCase].map(([caseId, items]) => ({
    ...toHead({ ...row, items }),
    case: caseId,
    items: items.map(toItem),
  }));
}
