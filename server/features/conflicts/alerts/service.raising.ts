// Checks new matters, and reports what new and changed names meet.

import type { AskedName } from '@matterdesk/contract/conflicts.ts';
import { type Context, perContext } from '../../../context.ts';
import { listUnchecked, markChecked, type UncheckedName } from '../../../db/names.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
import { makingRoom } from '../../../jobs/pace.ts';
import * as checks from '../checks/rules.ts';
import { countSources, searchNames } from '../checks/service.finding.ts';
import { madeOf } from '../checks/service.records.ts';
import { findCheckHits, keepFoundHits, withNamesOf } from '../checks/service.ts';
import { listStandings } from '../checks/store.facts.ts';
import { listChecks, listEntries } from '../checks/store.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';

type Searched = Awaited<ReturnType<typeof countSources>>;
type Question = { asked: AskedName; subject: rules.Subject; place: string };

/** New matters, and names, of one step; hits of a name, and runs that are looked through for decisions. */
const [PIECE, MOST, RUNS] = [20, 20, 20];
/** Steps after which names are counted anew: counting seven hundred thousand takes longer than a check. */
const STEPS = 10;
const WHY = 'new names are compared with the names of all matters';

const dbOf = perContext((context) => context.db.asSystem(WHY));
/* CONSTRUCTOR
this.#db = parts.db.asSystem(WHY);
*/

export async function raiseAlerts(
  context: Context,
  { signal }: { signal: AbortSignal },
): Promise<void> {
  let searched: Promise<Searched> | undefined;
  let taken = PIECE;
  // In turns, since new names are not to wait until an import's matters are checked.
  for (let step = 0; taken >= PIECE && !signal.aborted; step += 1) {
    if (step % STEPS === 0) searched = undefined;
    const count = () => (searched ??= countSources(context, false));
    taken = Math.max(
      await checkNewCases(context, signal, count),
      await compareNames(context, signal),
    );
  }
}

/** @returns how many matters were checked */
async function checkNewCases(
  context: Context,
  signal: AbortSignal,
  count: () => Promise<Searched>,
): Promise<number> {
  const { writer } = context;
  const waiting = await store.listUncheckedCases(dbOf(context), PIECE);
  if (waiting.length === 0) return 0;
  const searched = await count();
  for (const { case_id: caseId, by_id: by } of waiting) {
    signal.throwIfAborted();
    const subject = { caseId, intakeId: null };
    const check = async () => {
      const names = await withNamesOf(context, subject, []);
      const asked = { names, texts: false, subject, rerunOf: null };
      const hits = await findCheckHits(context, asked);
      await writer.runAsSystem(null, WHY, async (unit) => {
        if (!(await store.takeUnchecked(unit.trx, caseId))) return;
        const found = { ...asked, hits, searched };
        await keepFoundHits(unit, by === null ? null : { id: by }, found);
      });
    };
    await makingRoom(check, signal);
  }
  return waiting.length;
}

/** @returns how many names were compared */
async function compareNames(context: Context, signal: AbortSignal): Promise<number> {
  const names = await listUnchecked(dbOf(context), PIECE);
  const found: store.NewAlert[] = [];
  for (const name of names.filter(rules.isAsked))
    for (const question of await questionsOf(context, name))
      found.push(...(await makingRoom(() => answerQuestions(context, name, question), signal)));
  await context.writer.runAsSystem(null, WHY, async (unit) => {
    for (const alert of found) await raiseAlert(unit, alert);
    await markChecked(
      unit.trx,
      names.map(({ id }) => id),
    );
  });
  return names.length;
}

/** A contact is asked in each of its matters, with its role there. */
async function questionsOf(context: Context, name: UncheckedName): Promise<Question[]> {
  const { source_id: id, contact_id: contactId, case_id: caseId, intake_id: intakeId } = name;
  if (contactId === null) {
    const place = caseId ?? intakeId ?? id;
    return [{ asked: rules.toAsked(name, name.role), subject: { caseId, intakeId }, place }];
  }
  const standings = await listStandings(dbOf(context), [contactId]);
  return standings
    .filter(({ relation }) => relation === null)
    .map(({ role, case_id: of }) => ({
      asked: rules.toAsked(name, role ?? name.role),
      subject: { caseId: of, intakeId: null },
      place: of ?? id,
    }));
}

async function answerQuestions(
  context: Context,
  name: UncheckedName,
  { asked, subject, place }: Question,
) {
  const hits = await searchNames(context, {
    names: [asked],
    subject,
    withTexts: false,
    most: MOST,
  });
  const alarming = rules.weigh(name, hits);
  if (alarming.length === 0) return [];
  const decided = await decidedOf(context, subject);
  return alarming
    .filter((hit) => !decided.has(checks.keyOf(asked.name, hit)))
    .map((hit) => ({
      ...subject,
      pair: rules.pairOf({ name: asked.name, place }, hit),
      name: { name: asked.name, role: asked.role },
      hit,
    }));
}

/** What was decided in checks of the subject, whichever run it was. */
async function decidedOf(
  context: Context,
  { caseId, intakeId }: rules.Subject,
): Promise<Set<string>> {
  if (caseId === null && intakeId === null) return new Set();
  const filter = caseId === null ? { intakeId: intakeId ?? '' } : { caseId };
  const rows = await listChecks(dbOf(context), filter, { limit: RUNS });
  const ids = rows.map(({ id }) => id);
  const made = madeOf(await listEntries(dbOf(context), ids));
  const decided = rows.flatMap(({ hits, names }) =>
    hits
      .filter((hit) => made.has(hit.id))
      .map((hit) => checks.keyOf(names[hit.name]?.name ?? '', hit)),
  );
  return new Set(decided);
}

async function raiseAlert(unit: Unit, alert: store.NewAlert): Promise<void> {
  const id = await store.insertAlert(unit.trx, alert);
  if (id === undefined) return;
  const userIds = await store.listAssigned(unit.trx, alert);
  // The id alone: what it is about is read through the reader's walls.
  unit.emit('conflict.alerted', { id }, { audience: { userIds, permission: 'clearConflicts' } });
}
