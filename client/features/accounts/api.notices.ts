import { noticeRoutes, type CalendarSettingsPatch } from '@matterdesk/contract/notices.ts';
import { call } from '../../api.ts';

export async function readSettings() {
  return (await call(noticeRoutes.readSettings, { toasts: 'none' })).settings;
}

export function changeSettings(body: CalendarSettingsPatch) {
  return call(noticeRoutes.changeSettings, { body, failing: 'Couldn’t save the settings' });
}
