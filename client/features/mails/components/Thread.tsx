import { Link } from 'react-router';
import { cx } from '../../../ui/cx.ts';
import { useResource } from '../../../core/use-resource.ts';
import { mailThread } from '../api.changing.ts';
import { dayInList, nameOf } from '../rules.ts';
import { addressOf, useMailboxAddress } from './use-mailbox-address.ts';
import { useNow } from './use-now.ts';

/** The other mails of the open one's thread, as links; nothing while it is alone. */
export function Thread({ id, threadId }: { id: string; threadId: string }) {
  const { data } = useResource(mailThread, threadId);
  const { query, open } = useMailboxAddress();
  const now = useNow();
  if (!data || data.length < 2) return null;
  return (
    <nav aria-label="Conversation" className="mt-9 border-t border-line pt-4">
      <h3 className="text-sm font-medium text-ink-2">{data.length} emails in this conversation</h3>
      <ol className="mt-2">
        {data.map((mail) => (
          <li key={mail.id}>
            <Link
              to={addressOf({ ...query, mail: mail.id })}
              aria-current={mail.id === id ? 'page' : undefined}
              onClick={(event) => {
                if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                event.preventDefault();
                open(mail.id);
              }}
              className={cx(
                'flex min-h-11 items-baseline gap-3 rounded-control px-2 py-2.5 text-sm',
                mail.id === id ? 'bg-accent-soft' : 'hover:bg-hover',
              )}
            >
              <bdi className={cx('w-36 flex-none truncate', mail.unread && 'font-semibold')}>
                {nameOf(mail.from)}
              </bdi>
              <bdi className="min-w-0 grow truncate text-ink-2">{mail.snippet || '\u00A0'}</bdi>
              <time dateTime={mail.date} className="flex-none text-xs text-ink-2 tabular-nums">
                {dayInList(mail.date, now)}
              </time>
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}
