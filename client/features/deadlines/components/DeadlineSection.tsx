import { type ReactNode, useState } from 'react';
import type { DeadlineCounts, Deadline } from '@matterdesk/contract/deadlines.ts';
import type { Proposal } from '@matterdesk/contract/proposals.ts';
import { useResource } from '../../../core/use-resource.ts';
import { Button } from '../../../ui/Button.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import {
  type Reader,
  nameOf,
  type Standing,
  standingOf,
  timeInWords,
  waitsForDate,
} from '../rules.ts';
import { type Filters, type SectionQuery, sectionList } from '../slice.ts';
import CalendarSync from 'lucide-react/icons/calendar-sync';
import { cx } from '../../../ui/cx.ts';
import { proposalInWords } from '../rules.proposals.ts';
import { AvatarStack } from '../../../ui/AvatarStack.tsx';
import { daysBetween, formatDay } from '../../../ui/days.ts';
import Flag from 'lucide-react/icons/flag';
import Hourglass from 'lucide-react/icons/hourglass';
import { counted, distanceInWords, formatCount } from '../../../core/words.ts';
import { Pending } from '../../../core/Pending.tsx';

const SHOWN = 6;
const ALL = 200;
/** More than are shown, because the next 30 days leave limitations to their own section. */
const FETCHED = 50;

interface DeadlineSectionProps {
  section: SectionQuery['section'];
  title: string;
  empty: string;
  filters: Filters;
  today: string;
  reader: Reader;
  openId: string;
  onOpen: (id: string) => void;
  /** Shown first. */
  proposals?: readonly Proposal[];
  onOpenProposal?: (id: string) => void;
  /** The proposals are on their way. */
  isWaiting?: boolean;
}

/** One section of the list, which stays with one line when it is empty. */
export function DeadlineSection(props: DeadlineSectionProps) {
  const { section, title, empty, filters, today, proposals = [], onOpenProposal } = props;
  const [isAll, setIsAll] = useState(false);
  const limit = isAll ? ALL : FETCHED;
  const found = useResource(
    sectionList,
    isExcluded(section, filters) ? null : { section, filters, today, limit },
  );
  const { status, failure, refresh } = found;
  const isWaiting = props.isWaiting === true && !failure;
  const known = isExcluded(section, filters) ? NOTHING : found.data;
  const data = isWaiting ? null : known;
  const ofSection = (data?.deadlines ?? []).filter(
    ({ kind }) => section !== 'next30' || kind !== 'limitation',
  );
  const rows = isAll ? ofSection : ofSection.slice(0, SHOWN);
  const isFiltered = Object.values(filters).some((filter) => filter !== '');
  const counted = isFiltered ? ofSection.length + proposals.length : data?.counts?.[section];
  const total = data ? counted : undefined;
  return (
    <Section
      title={title}
      total={total}
      isWaiting={!data && !failure}
      aside={
        total !== undefined &&
        total > rows.length + proposals.length &&
        !isAll && (
          <Button size="small" variant="quiet" onClick={() => setIsAll(true)}>
            Show all
          </Button>
        )
      }
    >
      {data && rows.length + proposals.length > 0 ? (
        <ul>
          {proposals.map((proposal) => (
            <ProposalRow
              key={proposal.id}
              proposal={proposal}
              isOpen={proposal.id === props.openId}
              onOpen={(id) => onOpenProposal?.(id)}
            />
          ))}
          {rows.map((deadline) => (
            <DeadlineRow
              key={deadline.id}
              deadline={deadline}
              reader={props.reader}
              today={today}
              isOpen={deadline.id === props.openId}
              isWaiting={section === 'waiting'}
              onOpen={props.onOpen}
            />
          ))}
        </ul>
      ) : data ? (
        <p className="py-2.5 text-ink-3">{empty}</p>
      ) : (
        <Pending of={{ failure, status, refresh }} what={`“${title}”`}>
          <div className="space-y-3 py-2">
            <Skeleton className="h-8 w-full" />
            <Skeleton className="h-8 w-full" />
          </div>
        </Pending>
      )}
    </Section>
  );
}

const NOTHING = { deadlines: [], counts: undefined };

/** Limitations have their own section. */
function isExcluded(section: SectionQuery['section'], { kind }: Filters): boolean {
  if (section === 'limitation') return kind !== '' && kind !== 'limitation';
  return section === 'next30' && kind === 'limitation';
}

/** The heading of a section with its count. */
export function Section(props: {
  title: string;
  total: DeadlineCounts['waiting'] | undefined;
  isWaiting?: boolean;
  aside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section
      aria-label={props.title}
      data-waiting={props.isWaiting || undefined}
      // Below a section whose length is not known yet, nothing is shown that it would push away.
      className="peer mt-5 first:mt-0 peer-data-waiting:hidden"
    >
      <div className="flex min-h-8 items-center justify-between border-b border-line">
        <h2 className="text-heading font-semibold">
          {props.title}
          <span className="ml-2 font-normal text-ink-3 tabular-nums">
            {props.total === undefined ? '' : formatCount(props.total)}
          </span>
        </h2>
        {props.aside}
      </div>
      {props.children}
    </section>
  );
}

interface ProposalRowProps {
  proposal: Proposal;
  isOpen: boolean;
  onOpen: (id: string) => void;
}

/** A trigger that moved, and how many deadlines would follow. */
function ProposalRow({ proposal, isOpen, onOpen }: ProposalRowProps) {
  const { id, items, by } = proposal;
  const matters = [...new Set(items.map(({ deadline }) => deadline.case?.caseName ?? 'The firm'))];
  const open = items.filter(({ status }) => status === 'open').length;
  return (
    <li className="border-b border-line">
      <button
        type="button"
        aria-pressed={isOpen}
        onClick={() => onOpen(id)}
        className={cx(
          '-mx-2.5 grid min-h-11 w-[calc(100%+1.25rem)] grid-cols-[1.25rem_minmax(0,1fr)_auto] items-center gap-x-3.5 rounded-control px-2.5 py-1 text-left sm:grid-cols-[1.25rem_minmax(0,1fr)_11rem_7.5rem_3rem]',
          isOpen ? 'bg-accent-soft' : 'hover:bg-hover',
        )}
      >
        <CalendarSync aria-hidden="true" className="size-5 text-ink-2" />
        <span className="min-w-0">
          <span className="block truncate font-medium">{proposalInWords(proposal)}</span>
          <span className="block truncate text-note text-ink-2">{matters.join(', ')}</span>
        </span>
        <span className="truncate text-sm font-medium text-ink max-sm:hidden">Decide moves</span>
        <span className="text-right">
          {counted(open, 'deadline')}
          <span className="block truncate text-note text-ink-2">{by ? by.lastName : ''}</span>
        </span>
        <span />
      </button>
    </li>
  );
}

const SOON = 14;
const THIS_YEAR = 300;

interface DeadlineRowProps {
  deadline: Deadline;
  reader: Reader;
  today: string;
  isOpen: boolean;
  /** It waits for the reader. */
  isWaiting: boolean;
  onOpen: (id: string) => void;
}

const tones: Record<Standing['tone'], string> = {
  act: 'font-medium text-ink',
  green: 'text-green',
  plain: 'text-ink-2',
};

/** A deadline in two lines; the state column says what to do. */
function DeadlineRow({ deadline, reader, today, isOpen, ...props }: DeadlineRowProps) {
  const { id, kind, title, owner, second } = deadline;
  const days = daysBetween(today, deadline.effectiveDate);
  const isOverdue = days < 0 && deadline.status === 'open';
  const isLimitation = kind === 'limitation';
  const caseName = deadline.case?.caseName ?? 'The firm';
  const standing = standingOf(deadline, reader, props.isWaiting);
  const people = [owner, second].filter((person) => person !== null).map(nameOf);
  return (
    <li className="border-b border-line">
      <button
        type="button"
        aria-pressed={isOpen}
        onClick={() => props.onOpen(id)}
        className={cx(
          '-mx-2.5 grid min-h-11 w-[calc(100%+1.25rem)] grid-cols-[1.25rem_minmax(0,1fr)_auto] items-center gap-x-3.5 rounded-control px-2.5 py-1 text-left sm:grid-cols-[1.25rem_minmax(0,1fr)_11rem_7.5rem_3rem]',
          isOpen ? 'bg-accent-soft' : 'hover:bg-hover',
        )}
      >
        <DeadlineMark deadline={deadline} isOverdue={isOverdue} />
        <span className="min-w-0">
          <span className="block truncate font-medium">{isLimitation ? caseName : title}</span>
          <span className="block truncate text-note text-ink-2">
            {isLimitation ? title : caseName}
          </span>
        </span>
        <span className={cx('truncate text-sm max-sm:hidden', tones[standing.tone])}>
          {standing.words}
        </span>
        <DateColumn deadline={deadline} days={days} isHidden={waitsForDate(deadline, reader)} />
        <span className="flex justify-end max-sm:hidden">
          <AvatarStack names={people} limit={2} />
          <span className="sr-only">{people.join(', ')}</span>
        </span>
      </button>
    </li>
  );
}

function DateColumn(props: { deadline: Deadline; days: number; isHidden: boolean }) {
  const { deadline, days, isHidden } = props;
  if (isHidden)
    return <span className="text-right text-note text-ink-3">Hidden until verified</span>;
  const { effectiveDate, time } = deadline;
  const isOpen = deadline.status === 'open';
  const distance = days === 0 ? timeInWords(time) : distanceInWords(days);
  return (
    <span className="text-right tabular-nums">
      <span className="block">
        {days === 0
          ? 'Today'
          : formatDay(effectiveDate, Math.abs(days) > THIS_YEAR ? 'list' : 'weekday')}
      </span>
      {isOpen && (
        <span
          className={cx(
            'block text-note',
            days < 0 ? 'text-red' : days <= SOON ? 'text-amber' : 'text-ink-2',
          )}
        >
          {distance}
        </span>
      )}
    </span>
  );
}

/** Ink for what cannot be passed over silently, red once it is overdue, an outline for the rest. */
function DeadlineMark({ deadline, isOverdue }: { deadline: Deadline; isOverdue: boolean }) {
  const Icon = deadline.kind === 'limitation' ? Hourglass : Flag;
  return (
    <span
      aria-hidden="true"
      className={cx(
        'grid size-5 flex-none place-items-center rounded-[5px] border',
        !deadline.hard && 'border-line-strong text-ink-2',
        deadline.hard && !isOverdue && 'border-ink bg-ink text-paper',
        deadline.hard && isOverdue && 'border-red bg-red text-on-red',
      )}
    >
      <Icon className="size-3" />
    </span>
  );
}
