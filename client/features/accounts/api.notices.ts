import { noticeRoutes } from '@matterdesk/contract/notices.ts';
import { call } from '../../api.ts';
import { mutation } from '../../core/mutation.ts';

export async function readSettings() {
  return (await call(noticeRoutes.readSettings, { toasts: 'none' })).settings;
}

export const changeSettings = mutation(noticeRoutes.changeSettings, 'Couldn’t save the settings');
