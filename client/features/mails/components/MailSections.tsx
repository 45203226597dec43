import FilePen from 'lucide-react/icons/file-pen';
import Inbox from 'lucide-react/icons/inbox';
import PencilLine from 'lucide-react/icons/pencil-line';
import Send from 'lucide-react/icons/send';
import { Link } from 'react-router';
import { type MailSection, mailSections } from '@matterdesk/contract/mail-sections.ts';
import { keyOf } from '../../../core/entries.ts';
import { useAppSelector } from '../../../core/store.ts';
import { formatCount } from '../../../core/words.ts';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { addressOf } from '../hooks/use-mailbox-address.ts';
import { UNREAD } from '../slice.ts';

export const sectionNames: Record<MailSection, string> = {
  inbox: 'Inbox',
  sent: 'Sent',
  drafts: 'Drafts',
};
const ICONS = { inbox: Inbox, sent: Send, drafts: FilePen } as const;

interface MailSectionsProps {
  section: MailSection;
  onCompose: () => void;
}

/** Compose, and the three sections with their counts, as a column or, on narrow screens, a row. */
export function MailSections({ section, onCompose }: MailSectionsProps) {
  return (
    <div className="flex items-center gap-1 @5xl:flex-col @5xl:items-stretch @5xl:gap-4">
      <nav aria-label="Mail sections" className="min-w-0 grow @5xl:order-last @5xl:grow-0">
        <ul className="flex gap-1 @5xl:flex-col @5xl:gap-0.5">
          {mailSections.map((name) => (
            <SectionLink key={name} section={name} isHere={name === section} />
          ))}
        </ul>
      </nav>
      <Button
        variant="primary"
        icon={PencilLine}
        aria-keyshortcuts="c"
        onClick={onCompose}
        className="@max-5xl:px-2.5!"
      >
        <span className="@max-5xl:sr-only">Compose</span>
      </Button>
    </div>
  );
}

function SectionLink({ section, isHere }: { section: MailSection; isHere: boolean }) {
  const unread = useAppSelector(({ mails }) =>
    section === 'inbox' ? (mails.unread[keyOf(UNREAD)]?.data ?? null) : null,
  );
  const total = useAppSelector(
    ({ mails }) => mails.lists[keyOf({ section, search: '' })]?.data?.total ?? null,
  );
  const count = unread ?? total ?? 0;
  const Icon = ICONS[section];
  return (
    <li>
      <Link
        to={addressOf({ section, search: '', mail: null })}
        aria-current={isHere ? 'page' : undefined}
        className={cx(
          'flex h-[34px] items-center gap-2 rounded-control px-2 transition-colors pointer-coarse:h-11',
          isHere
            ? 'bg-accent-soft font-strong text-accent-ink'
            : 'font-book text-ink-2 hover:bg-hover',
        )}
      >
        <Icon className="@max-5xl:hidden" />
        {sectionNames[section]}
        {count > 0 && (
          <span
            key={count}
            className={cx(
              'animate-appear text-xs font-normal tabular-nums @5xl:ml-auto',
              !isHere && 'text-ink-3',
            )}
          >
            {formatCount(count)}
            {unread !== null && <span className="sr-only"> unread</span>}
          </span>
        )}
      </Link>
    </li>
  );
}
