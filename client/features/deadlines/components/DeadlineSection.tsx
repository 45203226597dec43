import CalendarSync from 'lucide-react/icons/calendar-sync';
import CheckCheck from 'lucide-react/icons/check-check';
import Flag from 'lucide-react/icons/flag';
import Hourglass from 'lucide-react/icons/hourglass';
import { useState } from 'react';
import { Link } from 'react-router';
import type { DeadlineCounts, Deadline } from '@matterdesk/contract/deadlines.ts';
import type { Proposal } from '@matterdesk/contract/proposals.ts';
import { fullName } from '../../../core/full-name.ts';
import { paths } from '../../../core/paths.ts';
import { Pending } from '../../../core/Pending.tsx';
import { useAttempt } from '../../../core/use-attempt.ts';
import { useResource } from '../../../core/use-resource.ts';
import { counted, distanceInWords, formatCount } from '../../../core/words.ts';
import { AvatarStack } from '../../../ui/Avatar.tsx';
import { buttonClass, Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { daysBetween, useDayIn } from '../../../ui/days.ts';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { acknowledge } from '../api.ts';
import {
  proposalInWords,
  type Act,
  type ActName,
  actOf,
  dayInWords,
  isFiltered,
  type Reader,
  type StatusLabel,
  statusLabelOf,
  timeInWords,
  waitsForDate,
  SOON_DAYS,
} from '../rules.ts';
import { type Filters, type SectionQuery, sectionList } from '../slice.ts';
import { Section } from './Section.tsx';

const SHOWN = 6;
const ALL = 200;
/** More than are shown, because the next 30 days leave limitations to their own section. */
const FETCHED = 50;

type SectionName = SectionQuery['section'];

interface DeadlineSectionProps {
  section: SectionName;
  title: string;
  empty: string;
  /** A word on the right, such as its days. */
  note?: string;
  /** Never folded: a limitation that is near must not hide behind a button. */
  isWhole?: boolean;
  /** Its rows appear only on demand; absent while it has none. */
  isFolded?: boolean;
  filters: Filters;
  today: string;
  reader: Reader;
  openId: string;
  onOpen: OpenDeadline;
  /** Shown first. */
  proposals?: readonly Proposal[];
  onOpenProposal?: (id: string) => void;
  /** The proposals are on their way. */
  isWaiting?: boolean;
}

/** Opens a deadline, perhaps with one of its dialogs. */
export type OpenDeadline = (id: string, act?: ActName) => void;

/** Deadlines of a section, which stays with one line when it is empty. */
export function DeadlineSection(props: DeadlineSectionProps) {
  const { section, title, empty, filters, today, note, isWhole = false, isFolded = false } = props;
  const { proposals = [], onOpenProposal } = props;
  const [isAll, setIsAll] = useState(false);
  const [isUnfolded, setIsUnfolded] = useState(!isFolded);
  const isExcluded = excludes(section, filters);
  const limit = !isUnfolded ? 1 : isAll || isWhole || isFolded ? ALL : FETCHED;
  const found = useResource(sectionList, isExcluded ? null : { section, filters, today, limit });
  const { status, failure, refresh } = found;
  const isWaiting = props.isWaiting === true && !failure;
  const data = isWaiting ? null : isExcluded ? NOTHING : found.data;
  const ofSection = (data?.deadlines ?? []).filter((deadline) => isOf(section, deadline));
  const isCut = !isAll && !isWhole && !isFolded;
  const rows = isCut ? ofSection.slice(0, SHOWN) : ofSection;
  const total = data ? totalOf(props, data, ofSection) : undefined;
  const rest = (total ?? 0) - rows.length - proposals.length;
  const next = ofSection[isUnfolded ? rows.length : 0];
  if (isFolded && !total) return null;
  return (
    <Section
      title={title}
      total={total}
      isWaiting={!data && !failure}
      isOverdue={section === 'overdue' && rows.length > 0}
      note={isUnfolded ? note : next && `next on ${dayInWords(next.effectiveDate, today)}`}
      fold={isFolded ? { isUnfolded, onToggle: () => setIsUnfolded(!isUnfolded) } : undefined}
    >
      {!isUnfolded ? null : data && rows.length + proposals.length > 0 ? (
        <ul className="@container">
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
              isOpen={deadline.id === props.openId}
              isWaiting={section === 'waiting'}
              onOpen={props.onOpen}
            />
          ))}
        </ul>
      ) : data ? (
        <p className="py-2.5 text-ink-3">
          {isFiltered(filters) ? 'None match these filters' : empty}
        </p>
      ) : (
        <Pending of={{ failure, status, refresh }} what={`“${title}”`} isPart>
          <div className="space-y-3 py-2">
            <Skeleton className="h-8 w-full" />
            <Skeleton className="h-8 w-full" />
          </div>
        </Pending>
      )}
      {isUnfolded && isCut && rest > 0 && (
        <p className="flex min-h-9 items-center justify-between text-note text-ink-2">
          <Button size="small" variant="quiet" className="-ml-2" onClick={() => setIsAll(true)}>
            {`Show ${formatCount(rest)} more`}
          </Button>
          <span className="hidden print:inline">{`${formatCount(rest)} more not printed`}</span>
          {next && `next on ${dayInWords(next.effectiveDate, today)}`}
        </p>
      )}
      {isUnfolded && !isCut && rest > 0 && (
        <p className="py-2 text-note text-ink-2">
          {`The first ${formatCount(rows.length)} are shown; choose a person or matter`}
        </p>
      )}
    </Section>
  );
}

const NOTHING = { deadlines: [], counts: undefined, total: 0 };

/** Limitations have their own sections. */
function excludes(section: SectionName, { kind }: Filters): boolean {
  if (['near', 'later', 'past'].includes(section)) return kind !== '' && kind !== 'limitation';
  return section === 'next30' && kind === 'limitation';
}

function isOf(section: SectionName, { kind, imported }: Deadline): boolean {
  if (section === 'next30') return kind !== 'limitation';
  return section !== 'past' || imported;
}

function totalOf(
  { section, filters, proposals = [] }: DeadlineSectionProps,
  data: { total: number; counts: DeadlineCounts | undefined },
  rows: readonly Deadline[],
): number | undefined {
  if (section !== 'next30' && section !== 'past') return data.total + proposals.length;
  return isFiltered(filters) || section === 'past' ? rows.length : data.counts?.next30;
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
          '-mx-2.5 grid min-h-11 w-[calc(100%+1.25rem)] grid-cols-[1.25rem_minmax(0,1fr)_auto] items-center gap-x-3.5 rounded-control px-2.5 py-1 text-left sm:grid-cols-[1.25rem_minmax(0,1fr)_11rem_7.5rem]',
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
      </button>
    </li>
  );
}

interface DeadlineRowProps {
  deadline: Deadline;
  reader: Reader;
  isOpen: boolean;
  /** It waits for the reader. */
  isWaiting: boolean;
  onOpen: OpenDeadline;
}

const tones: Record<StatusLabel['tone'], string> = {
  amber: 'text-amber',
  green: 'text-green',
  plain: 'text-ink-2',
};

/** The columns of a wide list, with room for the act at the right; a narrow one stacks them in two lines. */
const COLUMNS =
  'grid w-full grid-cols-[1.25rem_minmax(0,1fr)_auto] items-center gap-x-3.5 px-2.5 py-1 text-left @min-[60rem]:grid-cols-[1.25rem_minmax(0,1.3fr)_minmax(0,1fr)_9.5rem_3rem_7.5rem_5.5rem] @min-[26rem]:pr-34';

/** A deadline with its state, its date and the one act that fits. */
function DeadlineRow({ deadline, reader, isOpen, ...props }: DeadlineRowProps) {
  // As late as its own zone says, like the section it is in.
  const today = useDayIn(deadline.timeZone);
  const { id, kind, title, owner, second } = deadline;
  const isOverdue = deadline.effectiveDate < today && deadline.status === 'open';
  const caseName = deadline.case?.caseName ?? 'The firm';
  const names = kind === 'limitation' ? [caseName, title] : [title, caseName];
  const isHidden = waitsForDate(deadline, reader);
  const standing = statusLabelOf(deadline, isHidden);
  const people = [owner, second].filter((person) => person !== null).map(fullName);
  const act = actOf(deadline, reader, props.isWaiting);
  return (
    <li className="relative border-b border-line last:border-b-0">
      <button
        type="button"
        aria-pressed={isOpen}
        onClick={() => props.onOpen(id)}
        className={cx(
          COLUMNS,
          '-mx-2.5 min-h-11 w-[calc(100%+1.25rem)] rounded-control',
          isOpen ? 'bg-accent-soft' : 'hover:bg-hover',
        )}
      >
        <DeadlineMark deadline={deadline} isOverdue={isOverdue} />
        <span className="min-w-0 @min-[60rem]:contents">
          <span className="block truncate font-medium">{names[0]}</span>
          <span className="block truncate text-note text-ink-2 @min-[60rem]:text-sm">
            {names[1]}
            <span className="@min-[60rem]:hidden">{` · ${standing.words}`}</span>
          </span>
        </span>
        <span
          className={cx(
            'flex items-center gap-1.5 truncate text-note @max-[60rem]:hidden',
            tones[standing.tone],
          )}
        >
          {standing.tone === 'green' && <CheckCheck aria-hidden="true" className="size-3.5" />}
          {standing.words}
        </span>
        <span className="@max-[60rem]:hidden">
          <AvatarStack names={people} limit={2} />
          <span className="sr-only">{people.join(', ')}</span>
        </span>
        <DateColumns deadline={deadline} today={today} isHidden={isHidden} />
      </button>
      {act && (
        <span className="absolute top-1/2 right-0 -translate-y-1/2 @max-[26rem]:hidden">
          <ActButton act={act} deadline={deadline} onOpen={props.onOpen} />
        </span>
      )}
    </li>
  );
}

interface ActButtonProps {
  act: Act;
  deadline: Deadline;
  onOpen: OpenDeadline;
}

/** The act of a row: outlined if it waits for the reader, plain if it merely can be done. */
function ActButton({ act, deadline, onOpen }: ActButtonProps) {
  const { isBusy, attempt } = useAttempt();
  const look = { size: 'small', variant: act.isWaiting ? 'default' : 'quiet' } as const;
  const params = { id: deadline.id };
  if (act.name === 'open')
    return (
      <Link className={buttonClass(look)} to={paths.caseDetails(deadline.case?.id ?? '')}>
        {act.words}
      </Link>
    );
  const run = () => {
    if (act.name === 'acknowledge') void attempt(params, () => acknowledge({ params }));
    else onOpen(deadline.id, act.name);
  };
  return (
    <Button {...look} busy={isBusy} onClick={run}>
      {act.words}
    </Button>
  );
}

interface DateColumnsProps {
  deadline: Deadline;
  today: string;
  isHidden: boolean;
}

/** The date in effect, and how far it is. */
function DateColumns({ deadline, today, isHidden }: DateColumnsProps) {
  const { effectiveDate, time } = deadline;
  const days = daysBetween(today, effectiveDate);
  const isOpen = deadline.status === 'open';
  if (isHidden)
    return (
      <span className="text-right text-note text-ink-3 @min-[60rem]:col-span-2">
        Hidden until verified
      </span>
    );
  return (
    <span className="text-right tabular-nums @min-[60rem]:contents">
      <span className="block text-right whitespace-nowrap">
        {days === 0 ? 'Today' : dayInWords(effectiveDate, today)}
      </span>
      <span
        className={cx(
          'block text-note whitespace-nowrap @min-[60rem]:text-left',
          days < 0
            ? 'font-medium text-red'
            : days <= SOON_DAYS
              ? 'font-medium text-amber'
              : 'text-ink-2',
        )}
      >
        {isOpen && (days === 0 ? timeInWords(time) : distanceInWords(days))}
      </span>
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
