import type { PayloadAction } from '@reduxjs/toolkit';
import type { RouteReply } from '@matterdesk/contract/route.ts';
import type { TrayCounts, TraySource, trayRoutes } from '@matterdesk/contract/tray.ts';
import { featureSlice } from '../../core/feature-slice.ts';
import { filedToCase } from '../../core/filed.ts';
import { matterLost } from '../../core/matter-lost.ts';
import { type Entries, appendPage, resource } from '../../core/resource.ts';
import type { Option } from '../../ui/option.ts';

export type TrayPage = RouteReply<typeof trayRoutes.listTray>;

/** The last act, which can be undone; a dismissal leads to no matter. */
export type TrayAct = { id: string; title: string; to: Option | null; hasTask: boolean };

type TrayState = {
  lists: Entries<TrayPage, string>;
  counts: Entries<TrayCounts, TrayCounts>;
  last: TrayAct | null;
};

declare module '../../core/store.ts' {
  interface RootState {
    tray: TrayState;
  }
}

// The calls know the whole contract, which the shell does not load before it is needed.
const load = () => import('./api.ts');

export const MINE = 'mine';

/** Number of items to file, by source. */
export const trayCounts = resource({
  kept: 1,
  fetch: async (_: typeof MINE, fetching): Promise<TrayCounts> =>
    (await load()).readCounts(fetching),
  apply: (_, _held, counts: TrayCounts) => counts,
});

/** Items of one source, or all; oldest first. */
export const trayList = resource({
  kept: 5,
  rows: ({ items }: TrayPage) => items.length,
  fetch: async (source: TraySource | '', fetching): Promise<TrayPage> =>
    (await load()).readTray(source, fetching),
  take(state: TrayState, answered) {
    trayCounts.apply(state, answered.answer.counts);
    return appendPage('items')(state, answered);
  },
  apply: (_, { data }, left: string) => withoutItem(data, left),
});

/** The page after an item has left it. */
export function withoutItem(page: TrayPage, id: string): TrayPage {
  const left = page.items.find((item) => item.id === id);
  if (!left) return page;
  const items = page.items.filter((item) => item.id !== id);
  const counts = { ...page.counts, [left.source]: page.counts[left.source] - 1 };
  return { ...page, items, counts, total: page.total - 1 };
}

const own: Pick<TrayState, 'last'> = { last: null };

/** Items to file; never stored in the browser. */
const slice = featureSlice(
  'tray',
  { lists: trayList, counts: trayCounts },
  {
    state: own,
    on: {
      /** Items came or left; without counts these are read again too. */
      trayChanged(state, { payload: counts }: PayloadAction<TrayCounts | undefined>) {
        if (counts) trayCounts.apply(state, counts);
        else trayCounts.invalidate(state);
        trayList.invalidate(state);
      },
      /** An item was filed or dismissed, here or by someone else. */
      itemLeft(state, { payload: id }: PayloadAction<string>) {
        trayList.apply(state, id);
        trayList.invalidate(state);
        trayCounts.invalidate(state);
      },
      acted(state, { payload }: PayloadAction<TrayAct | null>) {
        state.last = payload;
      },
    },
    others(builder) {
      builder
        .addCase(matterLost, (state) => trayList.invalidate(state))
        // An upload without a case, or a mail or text that was filed from its own page.
        .addCase(filedToCase, (state) => {
          trayList.invalidate(state);
          trayCounts.invalidate(state);
        });
    },
  },
);

/** All items of all sources. */
export function countOf(counts: TrayCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

export const { acted, itemLeft, trayChanged } = slice.actions;
export const trayReducer = slice.reducer;
