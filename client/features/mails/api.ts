import { mailSections } from '@matterdesk/contract/mail-sections.ts';
import type { CurrentUser } from '@matterdesk/contract/accounts.ts';
import { fileRoutes } from '@matterdesk/contract/files.ts';
import { mailRoutes, type Mailbox, type MailDetail } from '@matterdesk/contract/mails.ts';
import { call, CallError, download } from '../../api.ts';
import { currentUserReplaced } from '../../core/current-user.ts';
import { uploadFile } from '../../core/upload.ts';
import type { Dispatch, RootState } from '../../core/store.ts';
import {
  connecting,
  connectionChanged,
  listGivenUp,
  listGrew,
  listKey,
  listsAsked,
  listsCame,
  listsFailed,
  mailOpened,
  unreadCounted,
  type ListQuery,
  type MailPage,
} from './slice.ts';

const PAGE = 25;

type Thunk<T = void> = (dispatch: Dispatch, getState: () => RootState) => Promise<T>;

/** Reads the beginnings of the three sections, in one call. */
export function loadMailbox(): Thunk {
  return async (dispatch, getState) => {
    const queries = mailSections.map((section) => ({ section, search: '' }));
    dispatch(listsAsked({ queries, epoch: getState().socket.epoch }));
    try {
      const mailbox = await listMails(getState());
      const pages = queries.map((query) => ({ query, page: pageOf(mailbox, query) }));
      dispatch(listsCame({ pages, at: now() }));
    } catch (error) {
      dispatch(listsFailed({ queries, failure: dispatch(noted(error)) }));
    }
  };
}

/** Reads a list from its beginning; what is shown stays until the answer is there. */
export function loadList(query: ListQuery, signal?: AbortSignal): Thunk {
  return async (dispatch, getState) => {
    dispatch(listsAsked({ queries: [query], epoch: getState().socket.epoch }));
    await settle(dispatch, query, async () => {
      const page = await readPage(getState(), query, { signal });
      dispatch(listsCame({ pages: [{ query, page }], at: now() }));
    });
  };
}

/** Reads the next page of a list, unless an ask is under way. */
export function growList(query: ListQuery, signal?: AbortSignal): Thunk {
  return async (dispatch, getState) => {
    const list = getState().mails.lists[listKey(query)];
    const after = list?.nextCursor;
    if (!list || !after || list.asks > 0) return;
    dispatch(listsAsked({ queries: [query], epoch: list.epoch }));
    await settle(dispatch, query, async () => {
      const page = await readPage(getState(), query, { signal, cursor: after });
      dispatch(listGrew({ query, after, page }));
    });
  };
}

async function settle(dispatch: Dispatch, query: ListQuery, ask: () => Promise<void>) {
  try {
    await ask();
  } catch (error) {
    if (error instanceof CallError)
      dispatch(listsFailed({ queries: [query], failure: dispatch(noted(error)) }));
    else dispatch(listGivenUp(query));
  }
}

type Asking = { signal?: AbortSignal | undefined; cursor?: string };

async function readPage(state: RootState, query: ListQuery, asking: Asking): Promise<MailPage> {
  return pageOf(await listMails(state, query, asking), query);
}

function listMails(state: RootState, query?: ListQuery, { signal, cursor }: Asking = {}) {
  return call(mailRoutes.listMails, {
    params: { userEmail: ownAddress(state) },
    query: query
      ? { section: query.section, search: query.search || undefined, limit: PAGE, cursor }
      : {},
    ...(signal && { signal }),
    toasts: 'none',
  });
}

function pageOf(mailbox: Mailbox, { section }: ListQuery): MailPage {
  const { data, nextCursor, total, unread } = mailbox;
  return {
    mails: data[section],
    nextCursor: nextCursor[section],
    total: total[section],
    unread: unread[section],
  };
}

/** Counts the unread mails of the inbox; what cannot be counted stays as it was counted last. */
export function countUnread(): Thunk {
  return async (dispatch, getState) => {
    try {
      const mailbox = await call(mailRoutes.listMails, {
        params: { userEmail: ownAddress(getState()) },
        query: { section: 'inbox', limit: 1 },
        toasts: 'none',
      });
      dispatch(unreadCounted(mailbox.unread.inbox));
    } catch (error) {
      dispatch(noted(error));
    }
  };
}

/** Reads a mail into the store; Google holds it for read from then on. @throws CallError */
export function openMail(mailId: string, signal?: AbortSignal): Thunk<MailDetail> {
  return async (dispatch, getState) => {
    const params = { userEmail: ownAddress(getState()), mailId };
    const asked = call(mailRoutes.readMail, { params, ...(signal && { signal }), toasts: 'none' });
    const { data } = await dispatch(reported(asked));
    dispatch(mailOpened(data));
    return data;
  };
}

/** The bytes of an attachment of a mail. @throws CallError */
export async function readAttachment(url: string, signal?: AbortSignal): Promise<Blob> {
  const [mailId, attachmentId, name] = url.split('/').slice(-3).map(decodeURIComponent);
  const params = { mailId, attachmentId, name };
  const asking = { params, ...(signal && { signal }), toasts: 'none' } as const;
  const { blob } = await download(mailRoutes.readAttachment, asking);
  return blob;
}

/** Keeps a mail in the library of a case. @throws CallError, after its toast */
export function fileToCase(mailId: string, caseId: string) {
  return call(mailRoutes.fileToCase, {
    params: { mailId },
    body: { caseId },
    failing: 'Couldn’t file the email',
  });
}

/** @throws CallError; what the call says stands beside the mail, not in a toast */
export function sendMail(body: unknown, idempotencyKey: string) {
  return reported(call(mailRoutes.sendMail, { body, idempotencyKey, toasts: 'none' }));
}

/** Keeps a draft at Google; one that is gone there is kept anew. @throws CallError */
export function keepDraft(draftId: string | null, body: object): Thunk<string> {
  return reported(keptDraft(draftId, body));
}

async function keptDraft(draftId: string | null, body: object): Promise<string> {
  if (draftId !== null) {
    try {
      const params = { draftId };
      return (await call(mailRoutes.changeDraft, { params, body, toasts: 'none' })).draftId;
    } catch (error) {
      if (!(error instanceof CallError) || error.status !== 404) throw error;
    }
  }
  return (await call(mailRoutes.keepDraft, { body, toasts: 'none' })).draftId;
}

/** @throws CallError, after its toast unless it is to be quiet */
export function deleteDraft(draftId: string, { isQuiet = false } = {}) {
  return call(mailRoutes.deleteDraft, {
    params: { draftId },
    toasts: isQuiet ? 'none' : 'all',
    failing: 'Couldn’t delete the draft',
  });
}

/** Sends one file ahead of its mail, telling the share that has left. `done` may throw a CallError. */
export function uploadAttachment(file: File, onProgress: (share: number) => void) {
  return uploadFile(mailRoutes.uploadAttachment, { file, onProgress });
}

/** The library of a case, for its files to be chosen from. @throws CallError */
export function readLibrary(caseId: string, signal: AbortSignal) {
  return call(fileRoutes.listFiles, { params: { caseId }, signal, toasts: 'none' });
}

/** Leaves for Google's page. @throws CallError, after its toast */
export async function startConnecting(): Promise<void> {
  const { data } = await call(mailRoutes.startConnecting, { failing: 'Couldn’t reach Google' });
  location.assign(data);
}

/** Exchanges what Google sent back. */
export function finishConnecting(sent: { code: string; state: string }): Thunk {
  return async (dispatch, getState) => {
    dispatch(connecting());
    try {
      const body = { ...sent, userEmail: ownAddress(getState()) };
      const { data } = await call(mailRoutes.finishConnecting, { body, toasts: 'none' });
      dispatch(connectionMade(data));
    } catch (error) {
      const said = error instanceof CallError ? error.message : 'Something went wrong';
      dispatch(connectionChanged({ notice: said }));
    }
  };
}

/** Forgets the grant. @throws CallError, after its toast */
export function disconnect(): Thunk {
  return async (dispatch) => {
    const { data } = await call(mailRoutes.disconnect, { failing: 'Google is still connected' });
    dispatch(connectionMade(data));
  };
}

function connectionMade(user: CurrentUser) {
  return (dispatch: Dispatch) => {
    dispatch(connectionChanged({ notice: null }));
    dispatch(currentUserReplaced(user));
  };
}

/** The answer of a call; a refusal that says that the grant is gone is heeded first. */
function reported<T>(work: Promise<T>): Thunk<T> {
  return async (dispatch) => {
    try {
      return await work;
    } catch (error) {
      dispatch(noted(error));
      throw error;
    }
  };
}

/** A grant that is gone turns the page back to Connect Google. Says why the call failed. */
function noted(error: unknown) {
  return (dispatch: Dispatch, getState: () => RootState): string => {
    if (!(error instanceof CallError)) return 'Something went wrong';
    const isLost = error.code === 'googleGrantLost';
    const { current } = getState().user;
    if ((isLost || error.code === 'googleNotConnected') && current) {
      const notice = isLost ? error.message : null;
      dispatch(connectionChanged({ notice }));
      dispatch(currentUserReplaced({ ...current, googleRefreshToken: null, googleEmail: null }));
    }
    return error.message;
  };
}

function ownAddress({ user }: RootState): string {
  return user.current?.email ?? '';
}

function now(): string {
  return new Date().toISOString();
}
