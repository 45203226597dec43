import type { TrayCounts } from '@matterdesk/contract/tray.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';

/** Each of those who read an owner's items gets their own counts. */
export function announceCounts(unit: Unit, ownerId: string | null): void {
  unit.beforeCommit(`tray ${ownerId ?? ''}`, async () => {
    const readers = await store.listReaders(unit.trx, ownerId);
    const waiting = await store.countItems(
      unit.trx,
      readers.map(({ id }) => id),
    );
    const alike = Map.groupBy(readers, (reader) =>
      JSON.stringify(rules.countsFor(reader, waiting)),
    );
    for (const [counts, some] of alike)
      unit.emit(
        'tray.changed',
        { counts: JSON.parse(counts) as TrayCounts },
        { audience: { userIds: some.map(({ id }) => id) } },
      );
  });
}
