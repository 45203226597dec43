import { useCallback, useMemo } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { type MailSection, mailSections } from '@matterdesk/contract/mail-sections.ts';
import { searchText } from '../../../core/use-address.ts';
import type { ListQuery } from '../slice.ts';

type MailboxView = ListQuery & { mail: string | null };

/** Mailbox state in the URL: `?section=sent&search=…&mail=…`. */
export function useMailboxAddress() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const { state } = useLocation() as { state: { overList?: true } | null };
  const section = sectionOf(params.get('section'));
  const search = searchText(params.get('search') ?? '');
  const mail = params.get('mail') || null;
  const query = useMemo<ListQuery>(() => ({ section, search }), [section, search]);
  const overList = state?.overList === true;

  const find = useCallback(
    (next: string) => {
      // The Back button returns to the list before the search, not to each typed letter.
      const isStillTyping = next !== '' && search !== '';
      void navigate(addressOf({ section, search: next, mail: null }), { replace: isStillTyping });
    },
    [navigate, section, search],
  );
  const open = useCallback(
    (id: string) => {
      // The Back button returns to the list, not to each mail opened after the first.
      const state = { overList: mail === null || overList };
      // A key right after a click acts on what was clicked.
      const options = { replace: mail !== null, state, flushSync: true };
      void navigate(addressOf({ section, search, mail: id }), options);
    },
    [navigate, section, search, mail, overList],
  );
  const close = useCallback(() => {
    if (overList) void navigate(-1);
    else void navigate(addressOf({ section, search, mail: null }), { replace: true });
  }, [navigate, overList, section, search]);
  return { query, mail, find, open, close };
}

/** The URL of a section, of a search in it, or of a mail in it. */
export function addressOf({ section, search, mail }: MailboxView): { search: string } {
  const address = new URLSearchParams();
  if (section !== 'inbox') address.set('section', section);
  if (search !== '') address.set('search', search);
  if (mail !== null) address.set('mail', mail);
  return { search: address.size > 0 ? `?${address}` : '' };
}

function sectionOf(text: string | null): MailSection {
  return mailSections.find((section) => section === text) ?? 'inbox';
}
