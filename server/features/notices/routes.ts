import { noticeRoutes } from '@matterdesk/contract/notices.ts';
import type { Binder } from '../../http/bind.ts';
import type { NoticeService } from './service.ts';

export function bindNotices(binder: Binder, notices: NoticeService) {
  binder.bind(noticeRoutes.listNotices, ({ actor, query }) => notices.listNotices(actor, query));
  binder.bind(noticeRoutes.changeNotice, ({ actor, params, body, once }) =>
    notices.changeNotice(actor, params.id, { change: body, once }),
  );
}
