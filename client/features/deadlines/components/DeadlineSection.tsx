import type { ReactNode } from 'react';
import { useState } from 'react';
import type { DeadlineCounts } from '@matterdesk/contract/deadlines.ts';
import { useResource } from '../../../core/use-resource.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { sectionList } from '../api.ts';
import type { Reader } from '../rules.ts';
import type { SectionQuery } from '../slice.ts';
import { DeadlineRow } from './DeadlineRow.tsx';

const SHOWN = 6;
const ALL = 200;
/** More than are shown, because the next 30 days leave limitations to their own section. */
const FETCHED = 50;

interface DeadlineSectionProps {
  section: SectionQuery['section'];
  title: string;
  empty: string;
  owner: string;
  today: string;
  reader: Reader;
  openId: string | null;
  onOpen: (id: string) => void;
}

/** One section of the list, which stays with one line when it is empty. */
export function DeadlineSection(props: DeadlineSectionProps) {
  const { section, title, empty, owner, today } = props;
  const [isAll, setIsAll] = useState(false);
  const limit = isAll ? ALL : FETCHED;
  const { data, status, failure, refresh } = useResource(sectionList, {
    section,
    owner,
    today,
    limit,
  });
  const ofSection = (data?.deadlines ?? []).filter(
    ({ kind }) => section !== 'next30' || kind !== 'limitation',
  );
  const rows = isAll ? ofSection : ofSection.slice(0, SHOWN);
  const total = data ? (owner ? ofSection.length : data.counts[section]) : undefined;
  return (
    <Section
      title={title}
      total={total}
      aside={
        total !== undefined &&
        total > rows.length &&
        !isAll && (
          <Button size="small" variant="quiet" onClick={() => setIsAll(true)}>
            Show all
          </Button>
        )
      }
    >
      {data && rows.length > 0 ? (
        <ul>
          {rows.map((deadline) => (
            <DeadlineRow
              key={deadline.id}
              deadline={deadline}
              reader={props.reader}
              today={today}
              isOpen={deadline.id === props.openId}
              onOpen={props.onOpen}
            />
          ))}
        </ul>
      ) : data ? (
        <p className="py-2.5 text-ink-3">{empty}</p>
      ) : failure ? (
        <ErrorState
          title={`Couldn’t load “${title}”`}
          detail={failure.message}
          busy={status === 'loading'}
          onRetry={refresh}
        />
      ) : (
        <div className="space-y-3 py-2">
          <Skeleton className="h-8 w-full" />
          <Skeleton className="h-8 w-full" />
        </div>
      )}
    </Section>
  );
}

/** The heading of a section with its count. */
export function Section(props: {
  title: string;
  total: DeadlineCounts['waiting'] | undefined;
  aside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section aria-label={props.title} className="mt-5 first:mt-0">
      <div className="flex min-h-8 items-center justify-between border-b border-line">
        <h2 className="text-heading font-semibold">
          {props.title}
          <span className="ml-2 font-normal text-ink-3 tabular-nums">
            {props.total?.toLocaleString('en-US') ?? ''}
          </span>
        </h2>
        {props.aside}
      </div>
      {props.children}
    </section>
  );
}
