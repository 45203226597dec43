import type { IntakeEntry } from '@matterdesk/contract/intakes.ts';
import { peopleOf } from '../../../core/people.ts';
import { useAppSelector } from '../../../core/store.ts';
import { entryInWords, momentOf } from '../rules.ts';
import { PanelPart } from './PanelPart.tsx';

/** What happened, newest first. */
export function IntakeActivity(props: { activity: readonly IntakeEntry[]; now: Date }) {
  const own = useAppSelector(({ user }) => user.current?.id ?? '');
  const people = useAppSelector(peopleOf);
  const nameOf = (id: string) => {
    const person = people.find((each) => each.id === id);
    return person ? `${person.firstName} ${person.lastName}` : 'someone else';
  };
  if (props.activity.length === 0) return null;
  return (
    <PanelPart title="Activity">
      <ol className="space-y-1.5">
        {props.activity.map((entry) => (
          <li key={entry.id} className="flex items-baseline justify-between gap-3">
            <span className="min-w-0 wrap-anywhere">
              {entryInWords(entry, { id: own, nameOf })}
              {(entry.kind === 'note' || entry.kind === 'call') && entry.text && (
                <span className="block whitespace-pre-line text-ink-2">“{entry.text}”</span>
              )}
            </span>
            <time dateTime={entry.at} className="flex-none text-note text-ink-2 tabular-nums">
              {momentOf(entry.at, props.now)}
            </time>
          </li>
        ))}
      </ol>
    </PanelPart>
  );
}
