import type { MailDetail } from '@matterdesk/contract/mails.ts';
import { useInfiniteScroll } from '../../../core/growing-list.ts';
import { useAppDispatch, useAppSelector } from '../../../core/store.ts';
import { succeeds } from '../../../core/use-attempt.ts';
import { useResource } from '../../../core/use-resource.ts';
import { toast } from '../../../ui/toast-store.ts';
import { mailList, changeMail } from '../api.ts';
import { type ListQuery, findSummary, mailLeft, markedUnread, sectionChanged } from '../slice.ts';

/** Rows loaded before they come into view. */
const ROWS_AHEAD = 12;
/** Milliseconds in which a burst of mails becomes a single fetch. */
const BURST = { batchMs: 300 };

const INBOX: ListQuery = { section: 'inbox', search: '' };
const SENT: ListQuery = { section: 'sent', search: '' };
const DRAFTS: ListQuery = { section: 'drafts', search: '' };

/** The shown list; the three sections are loaded as well, since their counts are in view. */
export function useMailList(query: ListQuery) {
  useResource(mailList, INBOX, BURST);
  useResource(mailList, SENT, BURST);
  useResource(mailList, DRAFTS, BURST);
  const shown = useResource(mailList, query, BURST);
  const { data, cursor, status, failure, refresh } = shown;
  const reach = useInfiniteScroll(shown, data?.mails.length ?? 0, ROWS_AHEAD);
  const list = {
    query,
    data,
    hasMore: cursor !== null,
    isBusy: status !== 'idle',
    failure: failure?.message ?? null,
  };
  return { list, refresh, reach };
}

/** The shown list; without `data` while loading or after a failure. */
export type ShownList = ReturnType<typeof useMailList>['list'];

type OpenMail = {
  mail: MailDetail | undefined;
  section: ListQuery['section'];
  onClose: () => void;
};

/** Actions on the open mail besides answering; each closes it, and its row gives way to the next one. */
export function useMailActions({ mail, section, onClose }: OpenMail) {
  const dispatch = useAppDispatch();
  const summary = useAppSelector(({ mails }) => (mail ? findSummary(mails, mail.id) : undefined));
  if (mail?.draftId !== null) return null;
  const { id } = mail;
  const refetch = () => {
    for (const changed of ['inbox', section] as const)
      dispatch(sectionChanged({ section: changed, ids: [] }));
  };
  const leave = async (done: 'Archived' | 'Moved to the trash') => {
    onClose();
    const isTrash = done === 'Moved to the trash';
    if (!(await succeeds(changeMail(id, isTrash ? { trashed: true } : { archived: true })))) return;
    dispatch(mailLeft({ id, section: isTrash ? null : 'inbox' }));
    const run = () => void succeeds(restoreMail({ id, isTrash, section })).finally(refetch);
    toast.plain(done, { label: 'Undo', run });
  };
  const markUnread = async () => {
    onClose();
    if (await succeeds(changeMail(id, { unread: true }))) dispatch(markedUnread(id));
  };
  // Only what others sent is read or unread.
  const canBeUnread = summary !== undefined && section === 'inbox';
  return {
    archive: section === 'inbox' ? () => void leave('Archived') : undefined,
    trash: () => void leave('Moved to the trash'),
    markUnread: canBeUnread ? () => void markUnread() : undefined,
  };
}

export type MailActions = NonNullable<ReturnType<typeof useMailActions>>;

type RemovedMail = { id: string; isTrash: boolean; section: string };

/** A mail taken out of the trash is not back in the inbox yet. */
async function restoreMail({ id, isTrash, section }: RemovedMail): Promise<void> {
  if (isTrash) await changeMail(id, { trashed: false });
  if (section === 'inbox') await changeMail(id, { archived: false });
}

export type Account = {
  /** The connected address, and the user's own. */
  email: string;
  own: string;
  isAnother: boolean;
};

/** The Google account that the user has connected. */
export function useAccount(): Account {
  const current = useAppSelector(({ user }) => user.current);
  const own = current?.email ?? '';
  const email = current?.googleEmail ?? own;
  return { email, own, isAnother: email.toLowerCase() !== own.toLowerCase() };
}
