import { mailRoutes } from '@matterdesk/contract/mails.ts';
import type { Binder } from '../../http/bind.ts';
import { sendContent } from '../../http/content.ts';
import type { MailAccess } from './service.access.ts';
import type { ConnectingService } from './service.connecting.ts';
import type { ReadingService } from './service.reading.ts';
import type { MailboxService } from './service.ts';

export type MailServices = {
  access: MailAccess;
  connecting: ConnectingService;
  mailbox: MailboxService;
  reading: ReadingService;
};

export function bindMails(binder: Binder, { access, connecting, mailbox, reading }: MailServices) {
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
  binder.bind(
    mailRoutes.readMail,
    async ({ actor, params }) => ({ data: await reading.read(actor, params.mailId) }),
    ({ actor, params }) => access.requireOwnAddress(actor, params.userEmail),
  );
  binder.bind(mailRoutes.readAttachment, async ({ actor, params, query, request, reply }) => {
    const content = await reading.readAttachment(actor, params.mailId, params.attachmentId);
    await sendContent(content, { isDownload: query.download === '1', request, reply });
    return undefined;
  });
}
