import { mailRoutes } from '@matterdesk/contract/mails.ts';
import type { Binder } from '../../http/bind.ts';
import type { MailAccess } from './service.access.ts';
import type { ConnectingService } from './service.connecting.ts';
import type { MailboxService } from './service.ts';

export type MailServices = {
  access: MailAccess;
  connecting: ConnectingService;
  mailbox: MailboxService;
};

export function bindMails(binder: Binder, { access, connecting, mailbox }: MailServices) {
  binder.bind(mailRoutes.startConnecting, async ({ actor }) => ({
    data: await connecting.start(actor),
  }));
  binder.bind(
    mailRoutes.finishConnecting,
    async ({ actor, body }) => ({ data: await connecting.finish(actor, body) }),
    ({ actor, json }) => access.requireOwnMember(actor, json, 'userEmail'),
  );
  binder.bind(mailRoutes.disconnect, async ({ actor }) => ({
    data: await connecting.disconnect(actor),
  }));
  binder.bind(
    mailRoutes.listMails,
    ({ actor, query }) => mailbox.list(actor, query),
    ({ actor, params }) => access.requireOwnAddress(actor, params.userEmail),
  );
}
