// What the server itself does about events.

import type { Context } from '../../context.ts';
import { addDays } from '../../core/days.ts';
import { mapInSlices } from '../../core/slices.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { grows, recurrenceOf } from './rules.recurrence.ts';
import * as times from './rules.times.ts';
import { findSlots, horizonOf, occurrencesOf } from './service.occurrences.ts';
import * as series from './store.series.ts';
import * as store from './store.ts';
import * as zones from './store.zones.ts';

const WHY = 'series and zones belong to no one';
/** Days that an endless series always reaches ahead. */
const REACH = 730;
const BATCH = 500;

/** Adds the occurrences that come into reach. */
export async function extendSeries(context: Context, now = new Date()): Promise<void> {
  const reach = addDays(now.toISOString().slice(0, 10), REACH);
  for (const { id } of await series.listShort(context.db, reach))
    await context.writer.runAsSystem(null, WHY, (unit) => extend(unit, id, now));
}

/** Derives coming instants again after the server's time zone rules changed. */
export async function followZones(
  context: Context,
  version = process.versions.tz ?? '',
): Promise<void> {
  if ((await zones.findVersion(context.db)) === version) return;
  await context.writer.runAsSystem(null, WHY, async (unit) => {
    let after: string | undefined;
    do {
      const rows = await zones.listComing(unit.trx, { after, limit: BATCH });
      const moved = await mapInSlices(rows, (row) => {
        const { starts_at, ends_at } = times.derive(row);
        const isSame = +(starts_at ?? 0) === +(row.starts_at ?? 0);
        return isSame ? [] : [{ id: row.id, starts_at, ends_at }];
      });
      await series.lockSeriesOf(
        unit.trx,
        rows.map(({ id }) => id),
      );
      await zones.moveInstants(unit.trx, moved.flat());
      after = rows.at(-1)?.id;
    } while (after !== undefined);
    await zones.keepVersion(unit.trx, version);
  });
}

async function extend(unit: Unit, id: string, now: Date): Promise<void> {
  const { trx } = unit;
  const of = await series.lockSeries(trx, id);
  const last = of?.is_endless ? await series.findLast(trx, id) : undefined;
  const slot = last?.slot ?? null;
  if (!of || !last || slot === null) return series.updateSeries(trx, id, { is_endless: false });
  const horizon = horizonOf('', now);
  const recurrence = recurrenceOf(of.rule);
  const like = { ...(await store.findRow(trx, last.id)), cancelled_at: null };
  const slots = await findSlots(recurrence, slot, { span: times.spanOf(like), horizon });
  await store.insertEvents(trx, await occurrencesOf(like, slots, new Set([slot])));
  const is_endless = grows(recurrence, horizon);
  await series.updateSeries(trx, id, { is_endless, expanded_to: horizon });
  unit.emit('series.changed', { series: id, case: like.case_id ?? null });
}
