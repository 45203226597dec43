import type { Actor } from '../../core/actor.ts';
import type { DeadlineState } from '../../db/schema-deadlines.ts';

type Row = Pick<
  DeadlineState,
  'hard' | 'owner_id' | 'second_id' | 'author_id' | 'dated_by' | 'pending'
>;
/** What else decides: whether two people must agree, and the members of the request. */
type Asked = { isDual: boolean; members: readonly string[] };
/** Whether someone may do something about a deadline. */
type May = (actor: Actor, row: Row, asked: Asked) => boolean;

function isHand(actor: Actor, row: Row): boolean {
  return row.owner_id === actor.id || actor.permissions.editCalendar;
}

/** Those who decide about a hard deadline. */
function isDecider(actor: Actor, row: Row): boolean {
  return isHand(actor, row) || row.second_id === actor.id;
}

const CORRECTION = ['date', 'time', 'reason'];

export const may = {
  /** Its author corrects the date, and nothing else. */
  change: (actor, row, { members }) =>
    isHand(actor, row) ||
    (row.author_id === actor.id && members.every((name) => CORRECTION.includes(name))),
  /** Another person than who entered the date. */
  verify: (actor, row, { isDual }) => !row.hard || !isDual || row.dated_by !== actor.id,
  acknowledge: (actor, row) =>
    row.owner_id === null ? isDecider(actor, row) : row.owner_id === actor.id,
  /** Anyone proposes a change of a hard deadline that another person decides. */
  propose: (actor, row, { isDual }) =>
    row.hard ? isDual || isDecider(actor, row) : isHand(actor, row),
  /** Another person than who proposed the change. */
  decide: (actor, row, { isDual }) =>
    isDecider(actor, row) && (!isDual || row.pending?.by !== actor.id),
} satisfies Record<string, May>;
export type Act = keyof typeof may;
