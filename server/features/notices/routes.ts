import { noticeRoutes } from '@matterdesk/contract/notices.ts';
import type { Binder } from '../../http/bind.ts';
import type { NoticeService } from './service.ts';
import type { NoticeSettings } from './service.settings.ts';

type Services = { notices: NoticeService; noticeSettings: NoticeSettings };

export function bindNotices(binder: Binder, { notices, noticeSettings }: Services) {
  binder.bind(noticeRoutes.listNotices, ({ actor, query }) => notices.listNotices(actor, query));
  binder.bind(noticeRoutes.changeNotice, ({ actor, params, body, once }) =>
    notices.changeNotice(actor, params.id, { change: body, once }),
  );
  binder.bind(noticeRoutes.readSettings, ({ actor }) => noticeSettings.read(actor));
  binder.bind(noticeRoutes.changeSettings, ({ actor, body }) => noticeSettings.change(actor, body));
}
