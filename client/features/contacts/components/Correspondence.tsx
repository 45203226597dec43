import type { ContactCard } from '@matterdesk/contract/contacts.ts';
import Mail from 'lucide-react/icons/mail';
import MessageCircle from 'lucide-react/icons/message-circle';
import { useState } from 'react';
import { Link } from 'react-router';
import { paths } from '../../../core/paths.ts';
import { cx } from '../../../ui/cx.ts';
import { useToday } from '../../../ui/days.ts';
import { CountedHeading } from './CountedHeading.tsx';
import { whenInList } from '../../../core/words.ts';

type Props = Pick<ContactCard, 'mails' | 'texts'> & { name: string };
type Shown = 'all' | 'mail' | 'text';

/** The reader's own mails and texts with a contact, newest first. */
export function Correspondence({ mails, texts, name }: Props) {
  const [shown, setShown] = useState<Shown>('all');
  const today = useToday();
  const entries = entriesOf({ mails, texts, name });
  const listed = entries.filter(({ kind }) => shown === 'all' || kind === shown);
  const ways = [
    { value: 'all', label: 'All', count: entries.length },
    { value: 'mail', label: 'Mail', count: mails.length },
    { value: 'text', label: 'Texts', count: texts.length },
  ] as const;
  return (
    <section>
      <CountedHeading
        count={0}
        aside={
          entries.length > 0 && (
            <div className="flex rounded-control border border-line-strong bg-surface p-0.5">
              {ways.map(({ value, label, count }) => (
                <button
                  key={value}
                  type="button"
                  aria-pressed={shown === value}
                  onClick={() => setShown(value)}
                  className={cx(
                    'h-7 rounded-small px-2.5 text-sm pointer-coarse:h-11',
                    shown === value ? 'bg-accent-soft font-medium text-accent-ink' : 'text-ink-2',
                  )}
                >
                  {`${label} `}
                  <span className="font-normal tabular-nums">{count}</span>
                </button>
              ))}
            </div>
          )
        }
      >
        Correspondence
      </CountedHeading>
      {entries.length === 0 && (
        <p className="text-ink-2">No messages from you. Other users’ messages are private.</p>
      )}
      <ul className={cx(listed.length > 0 && 'border-t border-line')}>
        {listed.map(({ id, kind, from, text, at, to }) => (
          <li key={id} className="border-b border-line">
            <Link to={to} className="flex min-h-[38px] items-center gap-3 py-2 hover:bg-hover">
              {kind === 'mail' ? (
                <Mail className="text-ink-3" />
              ) : (
                <MessageCircle className="text-ink-3" />
              )}
              <span className="sr-only">{kind === 'mail' ? 'Email' : 'Text'}</span>
              <span className="min-w-0 grow truncate">
                <span className="font-medium">{from}</span>
                <span className="text-ink-2">{` ${text}`}</span>
              </span>
              <time dateTime={at} className="flex-none text-sm text-ink-3 tabular-nums">
                {whenInList(at, today)}
              </time>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function entriesOf({ mails, texts, name }: Props) {
  const ofMail = mails.map(({ id, from, subject, date }) => ({
    id: `mail ${id}`,
    kind: 'mail' as const,
    from: from.name || from.email,
    text: subject || '(no subject)',
    at: date,
    to: paths.mail(id),
  }));
  const ofText = texts.map(({ id, status, from, to, body, dateSent }) => {
    const isTheirs = status === 'received';
    return {
      id: `text ${id}`,
      kind: 'text' as const,
      from: isTheirs ? name : 'You',
      text: `“${body}”`,
      at: dateSent,
      to: paths.messagesWith(isTheirs ? from : to),
    };
  });
  return [...ofMail, ...ofText].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
}
