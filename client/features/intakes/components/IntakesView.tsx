import Inbox from 'lucide-react/icons/inbox';
import { openStages, type Intake, type IntakeCounts } from '@matterdesk/contract/intakes.ts';
import { fullName } from '../../../core/full-name.ts';
import { Pending } from '../../../core/Pending.tsx';
import type { Failure } from '../../../core/resource.ts';
import { useAppSelector } from '../../../core/store.ts';
import { formatCount } from '../../../core/words.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { Button } from '../../../ui/Button.tsx';
import { ClearSearch } from '../../../ui/ClearSearch.tsx';
import { cx } from '../../../ui/cx.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { ColumnHeader, Table, TableCell, TableHead, TableRow } from '../../../ui/Table.tsx';
import { stageNames } from '../rules.ts';
import type { IntakePage } from '../slice.ts';
import { CheckMark } from './CheckMark.tsx';
import { DueMark, ResponseMark } from './ResponseMark.tsx';

type Props = {
  tab: 'open' | 'closed' | 'spam';
  owner: string;
  search: string;
  isList: boolean;
  openId: string;
  onChange: (changes: { owner?: string; search?: string; view?: string }) => void;
  list: { data: IntakePage | null; failure: Failure | null; status: string; refresh: () => void };
  now: Date;
  onOpen: (id: string) => void;
  onAdd: () => void;
};

const EMPTY = { open: 'No open intakes', closed: 'No closed intakes', spam: 'No spam' };

/** The intakes of a tab, or why there are none. */
export function IntakesView(props: Props) {
  const { tab, owner, search, isList, openId, list, now, onOpen, onAdd, onChange } = props;
  const { data } = list;
  const isAdmin = useAppSelector(({ user }) => user.current?.role === 'admin');
  if (!data)
    return (
      <Pending of={list} what="the intakes">
        <Loading isBoard={tab === 'open' && !isList} />
      </Pending>
    );
  const { intakes, total } = data;
  const isNarrowed = search !== '' || owner !== '';
  if (intakes.length === 0)
    return isNarrowed ? (
      <EmptyState
        icon={Inbox}
        title="No intake matches"
        action={<ClearSearch onClear={() => onChange({ search: '', owner: '' })} />}
      />
    ) : (
      <EmptyState
        icon={Inbox}
        title={EMPTY[tab]}
        action={
          tab === 'open' && (
            <span className="flex flex-wrap justify-center gap-2">
              <Button onClick={onAdd}>New Intake</Button>
              {isAdmin && (
                <Button onClick={() => onChange({ view: 'forms' })}>Set up a form</Button>
              )}
            </span>
          )
        }
      />
    );
  const shown = { intakes, now, openId, onOpen };
  return (
    <>
      {total > intakes.length && (
        <p className="mb-2 text-note text-ink-2">
          {`The soonest ${intakes.length} of ${formatCount(total)}.`}
        </p>
      )}
      {tab === 'open' && !isList ? (
        <IntakeBoard {...shown} counts={isNarrowed ? undefined : data.counts} />
      ) : (
        <IntakeTable {...shown} />
      )}
    </>
  );
}

function Loading({ isBoard }: { isBoard: boolean }) {
  return (
    <div className={isBoard ? 'flex gap-3' : 'space-y-3'}>
      {[0, 1, 2, 3].map((index) => (
        <Skeleton key={index} className={isBoard ? 'h-64 w-56 flex-none' : 'h-12 w-full'} />
      ))}
    </div>
  );
}

interface IntakeBoardProps {
  intakes: readonly Intake[];
  /** All of each stage; undefined while a search or an owner narrows the board. */
  counts: IntakeCounts | undefined;
  now: Date;
  openId: string;
  onOpen: (id: string) => void;
}

/** Open intakes by stage, late ones first. */
function IntakeBoard({ intakes, counts, now, openId, onOpen }: IntakeBoardProps) {
  return (
    <div className="relative flex min-h-0 grow snap-x gap-3 overflow-x-auto pb-4">
      {openStages.map((stage) => {
        const cards = intakes.filter((intake) => intake.stage === stage);
        return (
          <section
            key={stage}
            aria-label={stageNames[stage]}
            className="flex w-56 flex-none snap-start flex-col xl:min-w-56 xl:flex-1"
          >
            <h2 className="mb-2 text-sm font-semibold">
              {stageNames[stage]}
              <span className="ml-2 font-normal text-ink-3 tabular-nums">
                {formatCount(counts?.[stage] ?? cards.length)}
              </span>
            </h2>
            <ul className="min-h-24 grow space-y-2 overflow-y-auto rounded-lane bg-sunken p-2">
              {cards.map((intake) => (
                <IntakeCard
                  key={intake.id}
                  intake={intake}
                  now={now}
                  isOpen={intake.id === openId}
                  onOpen={onOpen}
                />
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}

interface IntakeCardProps {
  intake: Intake;
  now: Date;
  isOpen: boolean;
  onOpen: (id: string) => void;
}

/** Name, number and type, two lines of story, response, conflict check, and the next step. */
function IntakeCard({ intake, now, isOpen, onOpen }: IntakeCardProps) {
  const { id, name, number, type, description, owner, nextStep, dueAt } = intake;
  return (
    <li>
      <button
        type="button"
        aria-current={isOpen || undefined}
        onClick={() => onOpen(id)}
        className={cx(
          'block w-full rounded-card border bg-surface p-3 text-left transition-colors hover:border-ink-3',
          isOpen ? 'border-accent ring-1 ring-accent' : 'border-line',
        )}
      >
        <span className="flex items-start justify-between gap-2">
          <span className="min-w-0 font-semibold wrap-anywhere">{name}</span>
          {owner && (
            <>
              <Avatar name={fullName(owner)} />
              <span className="sr-only">{fullName(owner)}</span>
            </>
          )}
        </span>
        <span className="block text-xs text-ink-2">{`${number} · ${type ?? 'Unknown'}`}</span>
        {description !== null && description !== '' && (
          <span className="mt-1 line-clamp-2 text-sm text-ink-2">{description}</span>
        )}
        <span className="mt-2 block space-y-0.5 border-t border-line pt-2">
          <ResponseMark intake={intake} now={now} />
          <CheckMark check={intake.check} />
        </span>
        <span className="mt-2 flex justify-between gap-2 border-t border-line pt-2 text-xs">
          <span className="truncate">{nextStep || 'No next step'}</span>
          <DueMark dueAt={dueAt} now={now} />
        </span>
      </button>
    </li>
  );
}

interface IntakeTableProps {
  intakes: readonly Intake[];
  now: Date;
  openId: string;
  onOpen: (id: string) => void;
}

/** The fields of the cards as columns. */
function IntakeTable({ intakes, now, openId, onOpen }: IntakeTableProps) {
  return (
    <Table
      aria-label="Intakes"
      className="[--columns:minmax(0,1.6fr)_6rem_10.25rem_7.25rem_minmax(0,1.4fr)] max-lg:[--columns:minmax(0,2fr)_minmax(0,1.2fr)_minmax(0,1.2fr)] max-sm:[--columns:minmax(0,1fr)_auto]"
    >
      <TableHead className="max-xl:gap-x-3">
        <ColumnHeader>Name</ColumnHeader>
        <ColumnHeader className="max-lg:hidden">Stage</ColumnHeader>
        <ColumnHeader className="max-sm:hidden">Response</ColumnHeader>
        <ColumnHeader className="max-lg:hidden">Conflicts</ColumnHeader>
        <ColumnHeader>Next step</ColumnHeader>
      </TableHead>
      {intakes.map((intake) => (
        <TableRow
          key={intake.id}
          selected={intake.id === openId}
          onClick={() => onOpen(intake.id)}
          className="cursor-pointer max-xl:gap-x-3"
        >
          <TableCell cut={false}>
            <button
              type="button"
              onClick={() => onOpen(intake.id)}
              className="block max-w-full truncate text-left font-medium"
            >
              {intake.name}
            </button>
            <span className="block truncate text-note text-ink-3">
              {`${intake.number} · ${intake.type ?? 'Unknown'}`}
              {intake.description ? ` · ${intake.description}` : ''}
            </span>
          </TableCell>
          <TableCell className="max-lg:hidden">{stageNames[intake.stage]}</TableCell>
          <TableCell className="max-sm:hidden">
            <ResponseMark intake={intake} now={now} />
          </TableCell>
          <TableCell className="max-lg:hidden">
            <CheckMark check={intake.check} />
          </TableCell>
          <TableCell className="flex justify-between gap-2 text-sm">
            <span className="truncate max-sm:hidden">{intake.nextStep}</span>
            <DueMark dueAt={intake.dueAt} now={now} />
          </TableCell>
        </TableRow>
      ))}
    </Table>
  );
}
