import { noticeRoutes } from '@matterdesk/contract/notices.ts';
import { mutation } from '../../core/mutation.ts';
import { readQuietly } from '../../core/use-read.ts';

export async function readSettings() {
  return (await readQuietly(noticeRoutes.readSettings)).settings;
}

export const changeSettings = mutation(noticeRoutes.changeSettings, 'Couldn’t save the settings');
