// Mail in users' own Google accounts.

import {
  mailSignatureRoutes,
  mailChangeRoutes,
  mailPushRoutes,
  MAIL_BYTES_MAX,
  mailRoutes,
  mailAccountRoutes,
  mailWritingRoutes,
} from '@matterdesk/contract/mails.ts';
import type { ActorContext } from '../../context.ts';
import type { Binder } from '../../http/bind.ts';
import { sendContent } from '../../http/content.ts';
import { declaredLength, readUpload } from '../../http/upload.ts';
import {
  changeSignature,
  readSignature,
  changeDraft,
  deleteDraft,
  keepDraft,
  sendMail,
} from './compose/service.ts';
import { uploadAttachments } from './compose/service.uploads.ts';
import { disconnectMailbox, finishConnecting, startConnecting } from './connect/service.ts';
import { receivePush } from './push/service.ts';
import { fileMailToCase } from './read/service.filing.ts';
import { listMails, readThread, changeMail, readMail, readMailAttachment } from './read/service.ts';
import { requireOwnAddress, requireOwnMember } from './service.access.ts';

export function serveMails(binder: Binder) {
  serveConnecting(binder);
  serveReading(binder);
  serveChanging(binder);
  serveWriting(binder);
}

function serveConnecting(binder: Binder) {
  binder.serve(mailAccountRoutes, {
    startConnecting: async ({ context }) => ({
      data: await startConnecting(context),
    }),
    finishConnecting: {
      guard: ({ context, json }) => requireOwnMember(context, json, 'userEmail'),
      handle: async ({ context, body }) => ({ data: await finishConnecting(context, body) }),
    },
    disconnect: async ({ context }) => ({
      data: await disconnectMailbox(context),
    }),
  });
  binder.serve(mailPushRoutes, {
    receivePush: async ({ context, request, reply }) => {
      await receivePush(context, request.headers.authorization, request.body);
      await reply.send();
      return undefined;
    },
  });
}

function serveReading(binder: Binder) {
  binder.serve(mailRoutes, {
    listMails: {
      guard: ({ context, params }) => requireOwnAddress(context, params.userEmail),
      handle: ({ context, query }) => listMails(context, query),
    },
    readMail: {
      guard: ({ context, params }) => requireOwnAddress(context, params.userEmail),
      handle: async ({ context, params: { mailId }, note }) => {
        const data = await readMail(context, mailId);
        await note({ action: 'mailRead', entity: 'mail', entityId: mailId });
        return { data };
      },
    },
    readAttachment: async ({ context, params, query, note, request, reply }) => {
      const content = await readMailAttachment(context, params.mailId, params.attachmentId);
      await sendContent(content, { isDownload: query.download === '1', note, request, reply });
      return undefined;
    },
    fileToCase: async ({ context, params, body, reply }) => {
      const { url, isNew } = await fileMailToCase(context, params.mailId, body.caseId);
      if (!isNew) reply.code(mailRoutes.fileToCase.otherStatus);
      return { url };
    },
  });
}

function serveChanging(binder: Binder) {
  const isOwn = ({ context, params }: { context: ActorContext; params: { userEmail: string } }) =>
    requireOwnAddress(context, params.userEmail);
  binder.serve(mailChangeRoutes, {
    changeMail: {
      guard: isOwn,
      handle: async ({ context, params, body }) => ({
        data: await changeMail(context, params.mailId, body),
      }),
    },
    readThread: {
      guard: isOwn,
      handle: async ({ context, params }) => ({ data: await readThread(context, params.threadId) }),
    },
  });
}

function serveWriting(binder: Binder) {
  const isOwnSender = ({ context, json }: { context: ActorContext; json: unknown }) =>
    requireOwnMember(context, json, 'from');
  const limits = { bytes: MAIL_BYTES_MAX, files: 1 };
  binder.serve(mailSignatureRoutes, {
    readSignature: ({ context }) => readSignature(context),
    changeSignature: ({ context, body }) => changeSignature(context, body.signature),
  });
  binder.serve(mailWritingRoutes, {
    sendMail: {
      guard: isOwnSender,
      handle: async ({ context, body, once }) => {
        await sendMail(context, body, once);
        return null;
      },
    },
    keepDraft: { guard: isOwnSender, handle: ({ context, body }) => keepDraft(context, body) },
    changeDraft: {
      guard: isOwnSender,
      handle: ({ context, params, body }) => changeDraft(context, params.draftId, body),
    },
    deleteDraft: async ({ context, params }) => {
      await deleteDraft(context, params.draftId);
      return null;
    },
    uploadAttachment: ({ context, request }) =>
      uploadAttachments(
        context,
        readUpload(request, mailWritingRoutes.uploadAttachment, limits),
        declaredLength(request),
      ),
  });
}
