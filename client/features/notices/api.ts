import { noticeRoutes, type NoticeChange } from '@matterdesk/contract/notices.ts';
import { call } from '../../api.ts';
import { store } from '../../core/store.ts';
import { noticesChanged } from './slice.ts';

/** Marks a notice as seen, or puts it off by minutes. */
export async function changeNotice(id: string, body: NoticeChange): Promise<void> {
  await call(noticeRoutes.changeNotice, {
    params: { id },
    body,
    failing: 'Couldn’t update the notice',
  });
  store.dispatch(noticesChanged());
}
