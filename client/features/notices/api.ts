import { noticeRoutes, type NoticeChange } from '@matterdesk/contract/notices.ts';
import { call } from '../../api.ts';
import { Resource } from '../../core/resource.ts';
import { store } from '../../core/store.ts';
import { lists, noticesChanged } from './slice.ts';

const PAGE = 30;

/** The bell itself says what went wrong. */
export const noticeList = new Resource(lists, {
  slice: ({ notices }) => notices,
  kept: 1,
  fetch: (_query: string, { signal, cursor }) =>
    call(noticeRoutes.listNotices, {
      query: { limit: PAGE, ...(cursor !== undefined && { cursor }) },
      signal,
      toasts: 'none',
    }),
});

/** Marks a notice as seen, or puts it off by minutes. */
export async function changeNotice(id: string, body: NoticeChange): Promise<void> {
  await call(noticeRoutes.changeNotice, {
    params: { id },
    body,
    failing: 'Couldn’t update the notice',
  });
  store.dispatch(noticesChanged());
}
