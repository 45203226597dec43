import { mailChangeRoutes } from '@matterdesk/contract/mail-changes.ts';
import { mailPushRoutes } from '@matterdesk/contract/mail-push.ts';
import { MAX_MAIL_BYTES, mailRoutes } from '@matterdesk/contract/mails.ts';
import type { Binder } from '../../http/bind.ts';
import { sendContent } from '../../http/content.ts';
import { declaredLength, readUpload } from '../../http/upload.ts';
import type { MailAccess } from './service.access.ts';
import type { ConnectingService } from './connect/service.ts';
import type { ChangingService } from './read/service.changing.ts';
import type { FilingService } from './read/service.filing.ts';
import type { PushService } from './push/service.pushes.ts';
import type { ReadingService } from './read/service.ts';
import type { SendingService } from './compose/service.sending.ts';
import type { UploadService } from './compose/service.uploads.ts';
import type { MailboxService } from './read/service.list.ts';

export type MailServices = {
  access: MailAccess;
  connecting: ConnectingService;
  mailbox: MailboxService;
  reading: ReadingService;
  changing: ChangingService;
  uploads: UploadService;
  sending: SendingService;
  filing: FilingService;
  pushes: PushService;
};

export function bindMails(binder: Binder, services: MailServices) {
  bindConnecting(binder, services);
  bindReading(binder, services);
  bindChanging(binder, services);
  bindWriting(binder, services);
}

function bindConnecting(binder: Binder, { access, connecting, pushes }: MailServices) {
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
  binder.bind(mailPushRoutes.receivePush, async ({ request, reply }) => {
    await pushes.receive(request.headers.authorization, request.body);
    await reply.code(204).send();
    return undefined;
  });
}

function bindReading(binder: Binder, { access, mailbox, reading, filing }: MailServices) {
  binder.bind(
    mailRoutes.listMails,
    ({ actor, query }) => mailbox.list(actor, query),
    ({ actor, params }) => access.requireOwnAddress(actor, params.userEmail),
  );
  binder.bind(
    mailRoutes.readMail,
    async ({ actor, params: { mailId }, note }) => {
      const data = await reading.read(actor, mailId);
      await note({ action: 'mailRead', entity: 'mail', entityId: mailId });
      return { data };
    },
    ({ actor, params }) => access.requireOwnAddress(actor, params.userEmail),
  );
  binder.bind(mailRoutes.readAttachment, async ({ actor, params, query, note, request, reply }) => {
    const content = await reading.readAttachment(actor, params.mailId, params.attachmentId);
    await sendContent(content, { isDownload: query.download === '1', note, request, reply });
    return undefined;
  });
  binder.bind(mailRoutes.fileToCase, async ({ actor, params, body, reply }) => {
    const { url, isNew } = await filing.fileToCase(actor, params.mailId, body.caseId);
    if (!isNew) reply.code(200);
    return { url };
  });
}

function bindChanging(binder: Binder, { access, changing }: MailServices) {
  type Asked = {
    actor: Parameters<MailAccess['requireOwnAddress']>[0];
    params: { userEmail: string };
  };
  const isOwn = ({ actor, params }: Asked) => access.requireOwnAddress(actor, params.userEmail);
  binder.bind(
    mailChangeRoutes.changeMail,
    async ({ actor, params, body }) => ({
      data: await changing.change(actor, params.mailId, body),
    }),
    isOwn,
  );
  binder.bind(
    mailChangeRoutes.readThread,
    async ({ actor, params }) => ({ data: await changing.readThread(actor, params.threadId) }),
    isOwn,
  );
}

function bindWriting(binder: Binder, { access, sending, uploads }: MailServices) {
  type Asked = Parameters<MailAccess['requireOwnMember']>;
  const isOwnSender = ({ actor, json }: { actor: Asked[0]; json: unknown }) =>
    access.requireOwnMember(actor, json, 'from');
  const limits = { bytes: MAX_MAIL_BYTES, files: 1 };
  binder.bind(
    mailRoutes.sendMail,
    async ({ actor, body, once }) => {
      await sending.send(actor, body, once);
      return null;
    },
    isOwnSender,
  );
  binder.bind(
    mailRoutes.keepDraft,
    ({ actor, body }) => sending.keepDraft(actor, body),
    isOwnSender,
  );
  binder.bind(
    mailRoutes.changeDraft,
    ({ actor, params, body }) => sending.changeDraft(actor, params.draftId, body),
    isOwnSender,
  );
  binder.bind(mailRoutes.deleteDraft, async ({ actor, params }) => {
    await sending.deleteDraft(actor, params.draftId);
    return null;
  });
  binder.bind(mailRoutes.uploadAttachment, ({ actor, request }) =>
    uploads.upload(
      actor,
      readUpload(request, mailRoutes.uploadAttachment, limits),
      declaredLength(request),
    ),
  );
}
