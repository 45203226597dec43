import type { Actor } from '../../core/actor.ts';
import type { Scoped } from '../../db/schema.ts';
import * as rules from './rules.ts';
import { listItems, type DeadlineItem, type Wanted } from './store.items.ts';

type Reader = Pick<Actor, 'id' | 'permissions'>;

/** Deadlines between two days as a calendar shows them, by the date that rules. */
export async function readDeadlineItems(db: Scoped, reader: Reader, wanted: Wanted) {
  const rows = await listItems(db, wanted);
  return rows.map((row) => toItem(row, reader)).filter((item) => isWithin(item, wanted));
}

function toItem(row: DeadlineItem, { id, permissions }: Reader) {
  const { owner_id: owner, second_id: second } = row;
  // Without a time the whole day counts, wherever its court is.
  const allDay = rules.ruling(row).time === null;
  const at = allDay ? row.effective_date : row.due_at.toISOString();
  return {
    type: 'deadline' as const,
    id: row.id,
    title: row.title,
    kind: row.kind,
    caseId: row.case_id,
    people: [owner, second].filter((person) => person !== null),
    allDay,
    start: at,
    end: at,
    private: false,
    cancelled: row.status === 'vacated',
    hard: row.hard,
    status: row.status,
    canEdit: owner === id || permissions.editCalendar,
  };
}

/** A day of the reader for whole days, an instant of it for others. */
function isWithin({ allDay, start }: ReturnType<typeof toItem>, wanted: Wanted): boolean {
  if (allDay) return start >= wanted.from && start <= wanted.to;
  return start >= wanted.begins.toISOString() && start < wanted.ends.toISOString();
}
