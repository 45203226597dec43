import type { Entry } from '@matterdesk/contract/audit.ts';
import ChevronRight from 'lucide-react/icons/chevron-right';
import CircleX from 'lucide-react/icons/circle-x';
import { useState } from 'react';
import { Avatar } from '../../../ui/Avatar.tsx';
import { cx } from '../../../ui/cx.ts';
import { actInWords, agentInWords, isAlert, subjectOf } from '../rules.ts';
import { EntryDetails } from './EntryDetails.tsx';

const TIME = new Intl.DateTimeFormat('en-US', { timeStyle: 'medium' });

interface EntryRowProps {
  entry: Entry;
  onFilter: (filters: Record<string, string>) => void;
}

/** One line per entry, which opens to what changed. */
export function EntryRow({ entry, onFilter }: EntryRowProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { name, detail } = subjectOf(entry);
  const who = entry.actor && `${entry.actor.firstName} ${entry.actor.lastName}`;
  const place = [entry.address, agentInWords(entry.agent)].filter(Boolean).join(' · ');
  return (
    <li className="border-b border-line">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className="grid min-h-11 w-full grid-cols-[1.25rem_1fr] items-center gap-x-2 py-2 text-left hover:bg-hover lg:grid-cols-[1.25rem_6.5rem_9.5rem_9rem_1fr] xl:grid-cols-[1.25rem_6.5rem_10.5rem_10rem_1fr_14rem] lg:py-0"
      >
        <ChevronRight className={cx('text-ink-3', isOpen && 'rotate-90')} />
        <span className="text-sm text-ink-2 tabular-nums">{TIME.format(new Date(entry.at))}</span>
        <span className="col-start-2 flex min-w-0 items-center gap-2 lg:col-start-auto">
          {who && <Avatar name={who} />}
          <span className={cx('truncate', !who && 'text-ink-3')}>
            {who ?? (entry.address ? 'No account' : 'Matterdesk')}
          </span>
        </span>
        <span
          className={cx(
            'col-start-2 flex items-center gap-1.5 lg:col-start-auto',
            isAlert(entry) && 'text-red',
          )}
        >
          {isAlert(entry) && <CircleX className="flex-none" />}
          {actInWords(entry)}
        </span>
        <span className="col-start-2 min-w-0 wrap-anywhere lg:col-start-auto lg:truncate">
          {name && <strong className="font-medium">{name}</strong>}
          {name && detail && ' · '}
          {detail}
        </span>
        <span className="col-start-2 truncate text-sm text-ink-3 lg:hidden xl:col-start-auto xl:block">
          {place}
        </span>
      </button>
      {isOpen && <EntryDetails entry={entry} onFilter={onFilter} />}
    </li>
  );
}
