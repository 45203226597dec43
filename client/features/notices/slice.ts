import type { Notice } from '@matterdesk/contract/notices.ts';
import { featureSlice } from '../../core/feature-slice.ts';
import { matterLost } from '../../core/matter-lost.ts';
import { appendPage, resource } from '../../core/resource.ts';

// Loaded when it is needed: the shell, which has every slice, does not know the whole contract.
const routes = async () => (await import('@matterdesk/contract/notices.ts')).noticeRoutes;

export type NoticePage = { notices: Notice[]; unseen: number; nextCursor: string | null };

const PAGE = 30;

/** The bell itself says what went wrong. */
export const noticeList = resource({
  kept: 1,
  fetch: async (_query: string, { read, cursor }): Promise<NoticePage> =>
    read((await routes()).listNotices, { query: { limit: PAGE, cursor } }),
  take: appendPage('notices'),
});

/** The user's notices, newest first; never stored in the browser. */
const slice = featureSlice(
  'notices',
  { lists: noticeList },
  {
    on: {
      /** Notices came, or changed in another tab: the bell asks again. */
      noticesChanged: (state) => noticeList.invalidate(state),
    },
    others: (builder) => builder.addCase(matterLost, (state) => noticeList.invalidate(state)),
  },
);

declare module '../../core/store.ts' {
  interface RootState {
    notices: ReturnType<typeof slice.reducer>;
  }
}

export const { noticesChanged } = slice.actions;
export const noticesReducer = slice.reducer;
