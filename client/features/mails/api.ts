import type { CurrentUser } from '@matterdesk/contract/accounts.ts';
import { errorCodes } from '@matterdesk/contract/errors.ts';
import {
  mailRoutes,
  mailAccountRoutes,
  mailWritingRoutes,
  type MailChange,
  mailChangeRoutes,
} from '@matterdesk/contract/mails.ts';
import { call, CallError, download } from '../../api.ts';
import { mutation } from '../../core/mutation.ts';
import { currentUserReplaced } from '../../core/people.ts';
import { keyOf, type FetchContext } from '../../core/resource.ts';
import { store } from '../../core/store.ts';
import { uploadFile } from '../../core/upload.ts';
import {
  connecting,
  connectionChanged,
  details,
  lists,
  type ListQuery,
  type MailPage,
  type OpenedMail,
  threads,
} from './slice.ts';

const PAGE = 25;

/** A section, or the results of a search in it. */
export const mailList = lists.fetchedBy((query: ListQuery, fetching) =>
  withGrantCheck(readList(query, fetching)),
);

/** Fetching a mail marks it as read in Gmail. */
export const mailDetails = details.fetchedBy((mailId: string, { signal }) =>
  readMail(mailId, signal),
);

/** @throws CallError */
export async function readMail(mailId: string, signal?: AbortSignal): Promise<OpenedMail> {
  const params = { userEmail: ownAddress(), mailId };
  const reply = call(mailRoutes.readMail, { params, ...(signal && { signal }), toasts: 'none' });
  const { data } = await withGrantCheck(reply);
  return { mail: data, readAt: now() };
}

async function readList(query: ListQuery, { signal, cursor }: FetchContext): Promise<MailPage> {
  const held = store.getState().mails.lists[keyOf(query)]?.data;
  const fresh = held?.news?.length ?? 0;
  if (held && cursor === undefined && fresh > 0 && fresh + 1 < PAGE) {
    // A row more than the new mails reaches the loaded rows.
    const page = await readPage(query, { signal, limit: fresh + 1 });
    const last = page.mails.at(-1)?.id;
    if (page.nextCursor === null || held.mails.some(({ id }) => id === last)) return page;
  }
  return readPage(query, { signal, cursor, limit: PAGE });
}

type PageRequest = { signal: AbortSignal; cursor?: string | undefined; limit: number };

async function readPage(
  { section, search }: ListQuery,
  { signal, ...page }: PageRequest,
): Promise<MailPage> {
  const requestedAt = now();
  const { data, nextCursor, total, unread } = await call(mailRoutes.listMails, {
    params: { userEmail: ownAddress() },
    query: { section, search: search || undefined, ...page },
    signal,
    toasts: 'none',
  });
  return {
    mails: data[section],
    nextCursor: nextCursor[section],
    total: total[section],
    unread: unread[section],
    requestedAt,
  };
}

/** Counts the unread mails of the inbox. @throws CallError */
export async function countUnread(signal: AbortSignal): Promise<number | null> {
  const query: ListQuery = { section: 'inbox', search: '' };
  return (await withGrantCheck(readPage(query, { signal, limit: 1 }))).unread;
}

/** The bytes of an attachment of a mail. @throws CallError */
export async function readAttachment(url: string, signal?: AbortSignal): Promise<Blob> {
  const [mailId, attachmentId, name] = url.split('/').slice(-3).map(decodeURIComponent);
  const params = { mailId, attachmentId, name };
  const input = { params, ...(signal && { signal }), toasts: 'none' } as const;
  const { blob } = await download(mailRoutes.readAttachment, input);
  return blob;
}

/** Saves a mail to the files of a case. */
export const fileToCase = mutation(mailRoutes.fileToCase, 'Couldn’t file the email', {
  toasts: 'errors',
});

/** @throws CallError without a toast, since the panel shows the reason */
export function sendMail(body: unknown, idempotencyKey: string) {
  return withGrantCheck(call(mailWritingRoutes.sendMail, { body, idempotencyKey, toasts: 'none' }));
}

/** Saves a draft to Gmail, as a new draft if it was deleted there. @throws CallError */
export function keepDraft(draftId: string | null, body: object): Promise<string> {
  return withGrantCheck(changeOrCreateDraft(draftId, body));
}

async function changeOrCreateDraft(draftId: string | null, body: object): Promise<string> {
  if (draftId !== null) {
    try {
      const params = { draftId };
      return (await call(mailWritingRoutes.changeDraft, { params, body, toasts: 'none' })).draftId;
    } catch (error) {
      if (!(error instanceof CallError) || error.status !== 404) throw error;
    }
  }
  return (await call(mailWritingRoutes.keepDraft, { body, toasts: 'none' })).draftId;
}

/** @throws CallError, after its toast unless `isQuiet` */
export function deleteDraft(draftId: string, { isQuiet = false } = {}) {
  return call(mailWritingRoutes.deleteDraft, {
    params: { draftId },
    toasts: isQuiet ? 'none' : 'errors',
    failing: 'Couldn’t delete the draft',
  });
}

/** Uploads a file before its mail is sent, reporting progress. `done` may throw a CallError. */
export function uploadAttachment(file: File, onProgress: (share: number) => void) {
  return uploadFile(mailWritingRoutes.uploadAttachment, { file, onProgress });
}

/** Goes to Google's consent page. @throws CallError, after its toast */
export async function startConnecting(): Promise<void> {
  const { data } = await call(mailAccountRoutes.startConnecting, {
    failing: 'Couldn’t reach Google',
  });
  location.assign(data);
}

/** Exchanges the code that Google sent back. */
export async function finishConnecting(sent: { code: string; state: string }): Promise<void> {
  store.dispatch(connecting());
  try {
    const body = { ...sent, userEmail: ownAddress() };
    const { data } = await call(mailAccountRoutes.finishConnecting, { body, toasts: 'none' });
    replaceConnection(data);
  } catch (error) {
    const notice = error instanceof CallError ? error.message : 'Something went wrong';
    store.dispatch(connectionChanged({ notice }));
  }
}

/** Revokes the grant. @throws CallError, after its toast */
export async function disconnect(): Promise<void> {
  const { data } = await call(mailAccountRoutes.disconnect, {
    failing: 'Google is still connected',
  });
  replaceConnection(data);
}

function replaceConnection(user: CurrentUser, notice: string | null = null) {
  store.dispatch(connectionChanged({ notice }));
  store.dispatch(currentUserReplaced(user));
}

/** Returns the page to Connect Google if a call fails because the grant is lost. */
async function withGrantCheck<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { current } = store.getState().user;
    const code = error instanceof CallError ? error.code : undefined;
    // Only who asks first gets the reason, which may be a round of the server.
    const isLost =
      code === 'googleGrantLost' ||
      (code === 'googleNotConnected' && current?.googleRefreshToken != null);
    if (current && isLost)
      replaceConnection(
        { ...current, googleRefreshToken: null, googleEmail: null },
        errorCodes.googleGrantLost.message,
      );
    throw error;
  }
}

/** Identifies the mailbox to the server. */
export function ownAddress(): string {
  return store.getState().user.current?.email ?? '';
}

function now(): string {
  return new Date().toISOString();
}

/** Changes a mail at Google too. @throws CallError, after its toast */
export function changeMail(mailId: string, change: MailChange) {
  return call(mailChangeRoutes.changeMail, {
    params: { userEmail: ownAddress(), mailId },
    body: change,
    toasts: 'errors',
    failing: 'Couldn’t change the email',
  });
}

/** The mails of a thread, oldest first. */
export const mailThread = threads.fetchedBy(async (threadId: string, { read }) => {
  const params = { userEmail: ownAddress(), threadId };
  return (await read(mailChangeRoutes.readThread, { params })).data;
});
