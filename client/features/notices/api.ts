import { noticeRoutes } from '@matterdesk/contract/notices.ts';
import { mutation } from '../../core/mutation.ts';
import { store } from '../../core/store.ts';
import { noticesChanged } from './slice.ts';

/** Marks a notice as seen, or snoozes it for a number of minutes. */
export const changeNotice = mutation(noticeRoutes.changeNotice, 'Couldn’t update the notice', {
  done: () => store.dispatch(noticesChanged()),
});
