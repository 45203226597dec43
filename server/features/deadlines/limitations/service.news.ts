import type { Unit } from '../../../db/unit-of-work.ts';
import type * as deadlines from '../store.ts';
import { raiseNotices } from '../../notices/service.ts';
import type { Context } from '../../../context.ts';

type Row = deadlines.DeadlineRow;

/** Reports to the owner and the second of a limitation that another person moved it, or proposes to change it. */
export async function reportMove(
  context: Context,
  unit: Unit,
  { before, after, by }: { before: Row; after: Row; by: string | null },
): Promise<void> {
  if (after.kind !== 'limitation') return;
  const isMoved = after.date !== before.date || after.time !== before.time;
  if (!isMoved && (after.pending === null || before.pending !== null)) return;
  const people = [after.owner_id, after.second_id].filter((id) => id !== null);
  const others = people.filter((id) => id !== by);
  const drafts = others.map((user_id) => ({
    user_id,
    case_id: after.case_id,
    event_id: null,
    deadline_id: after.id,
    type: isMoved ? ('change' as const) : ('proposal' as const),
    subject: `changed ${after.id} ${after.updated_at.toISOString()}`,
    // Without the date, which its second enters from the paper.
    title: `${isMoved ? 'Moved' : 'Change proposed'}: ${after.title}`,
    body: '',
    at: after.updated_at,
    missed: false,
  }));
  await raiseNotices(context, unit, drafts);
}
