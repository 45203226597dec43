import type { Entry } from '@matterdesk/contract/audit.ts';
import { formatDay, localDay, useToday } from '../../../ui/days.ts';
import { EntryRow } from './EntryRow.tsx';

interface EntryListProps {
  entries: readonly Entry[];
  onFilter: (filters: Record<string, string>) => void;
}

/** Entries by the reader's day, newest first. */
export function EntryList({ entries, onFilter }: EntryListProps) {
  const today = useToday();
  const days = Map.groupBy(entries, ({ at }) => localDay(new Date(at)));
  return [...days].map(([day, ofDay]) => (
    <section key={day} aria-label={formatDay(day)} className="mt-5">
      <h2 className="flex justify-between border-b border-line pb-2 font-medium">
        {day === today ? `Today, ${formatDay(day, 'long')}` : formatDay(day, 'long')}
        <span className="text-sm font-normal text-ink-3">{ofDay.length}</span>
      </h2>
      <ul>
        {ofDay.map((entry) => (
          <EntryRow key={entry.id} entry={entry} onFilter={onFilter} />
        ))}
      </ul>
    </section>
  ));
}
