import { useCallback, useMemo } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { type MailSection, mailSections } from '@matterdesk/contract/mail-sections.ts';
import type { ListQuery } from '../slice.ts';

/** The longest text that the server searches. */
export const LONGEST_SEARCH = 200;

type Shown = ListQuery & { mail: string | null };

/** What is shown, as the address says it: `?section=sent&search=…&mail=…`. */
export function useMailboxAddress() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const { state } = useLocation() as { state: { overList?: true } | null };
  const section = sectionOf(params.get('section'));
  const search = (params.get('search') ?? '').trim().slice(0, LONGEST_SEARCH);
  const mail = params.get('mail') || null;
  const query = useMemo<ListQuery>(() => ({ section, search }), [section, search]);
  const overList = state?.overList === true;

  const find = useCallback(
    (next: string) => {
      // Going back leads to the list before the search, not to each letter of it.
      const isStillTyping = next !== '' && search !== '';
      void navigate(addressOf({ section, search: next, mail: null }), { replace: isStillTyping });
    },
    [navigate, section, search],
  );
  const open = useCallback(
    (id: string) => {
      // From one mail to the next is no way that anybody wants to go back.
      const options = { replace: mail !== null, state: { overList: mail === null || overList } };
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

/** The address of a section, a search in it, or a mail of it. */
export function addressOf({ section, search, mail }: Shown): { search: string } {
  const address = new URLSearchParams();
  if (section !== 'inbox') address.set('section', section);
  if (search !== '') address.set('search', search);
  if (mail !== null) address.set('mail', mail);
  return { search: address.size > 0 ? `?${address}` : '' };
}

function sectionOf(text: string | null): MailSection {
  return mailSections.find((section) => section === text) ?? 'inbox';
}
