import type { MailDetail } from '@matterdesk/contract/mails.ts';
import { useAppDispatch, useAppSelector } from '../../../core/store.ts';
import { succeeds } from '../../../core/use-attempt.ts';
import { toast } from '../../../ui/toast-store.ts';
import { changeMail } from '../api.threads.ts';
import { findSummary, type ListQuery, mailLeft, markedUnread, sectionChanged } from '../slice.ts';

type Open = { mail: MailDetail | undefined; section: ListQuery['section']; onClose: () => void };

/** Actions on the open mail besides answering; each closes it, and its row gives way to the next one. */
export function useMailActions({ mail, section, onClose }: Open) {
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
    const run = () => void succeeds(bringBack({ id, isTrash, section })).finally(refetch);
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

type Left = { id: string; isTrash: boolean; section: string };

/** A mail taken out of the trash is not back in the inbox yet. */
async function bringBack({ id, isTrash, section }: Left): Promise<void> {
  if (isTrash) await changeMail(id, { trashed: false });
  if (section === 'inbox') await changeMail(id, { archived: false });
}
