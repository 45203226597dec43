import { noticeRoutes } from '@matterdesk/contract/notices.ts';
import type { Binder } from '../../http/bind.ts';
import { changeNoticeSettings, readNoticeSettings, changeNotice, listNotices } from './service.ts';

export function serveNotices(binder: Binder) {
  binder.serve(noticeRoutes, {
    listNotices: ({ context, query }) => listNotices(context, query),
    changeNotice: ({ context, params, body, once }) =>
      changeNotice(context, params.id, { change: body, once }),
    readSettings: ({ context }) => readNoticeSettings(context),
    changeSettings: ({ context, body }) => changeNoticeSettings(context, body),
  });
}
