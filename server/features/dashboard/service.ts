import type { Overview } from '@matterdesk/contract/dashboard.ts';
import type { ActorContext } from '../../context.ts';
import { HOUR_MS } from '../../core/durations.ts';
import { listLimitationsBetween, summarizeCases } from '../cases/service.ts';
import { readDigest } from '../notices/digest/service.ts';
import { listOwnTasks, listOwnTasksDuring } from '../tasks/service.ts';

const LIMITATION_DAYS = 90;
const MAX_LISTED = 50;
const RECENT_CASES = 6;
const MAX_DAY = 100;
/** Hours of the most advanced time zone ahead of UTC, and of the last one behind. */
const AHEAD = 14;
const BEHIND = 12;

/** @param today the reader's day, `YYYY-MM-DD` */
export async function readOverview(
  context: ActorContext,
  today = toDay(new Date()),
): Promise<Overview> {
  const start = Date.parse(`${today}T00:00:00Z`);
  const end = new Date(start);
  end.setUTCDate(end.getUTCDate() + LIMITATION_DAYS);
  const [own, tasksOfDay, limits, summary, { digest, calls }] = await Promise.all([
    listOwnTasks(context, MAX_LISTED),
    listOwnTasksDuring(context, {
      from: new Date(start - AHEAD * HOUR_MS),
      to: new Date(start + (24 + BEHIND) * HOUR_MS),
      limit: MAX_DAY,
    }),
    listLimitationsBetween(context, { from: today, to: toDay(end), limit: MAX_LISTED }),
    summarizeCases(context, RECENT_CASES),
    readDigest(context, context.actor, today),
  ]);
  return {
    counts: {
      activeCases: summary.active,
      archivedCases: summary.archived,
      myOpenTasks: own.total,
      deadlines: calls,
    },
    digest,
    myTasks: own.tasks,
    tasksOfDay,
    limitations: limits.limitations,
    limitationsTotal: limits.total,
    recentCases: summary.recentCases,
  };
}

/** Years on the wire end with 9999. */
function toDay(date: Date) {
  return date.getUTCFullYear() > 9999 ? '9999-12-31' : date.toISOString().slice(0, 10);
}
