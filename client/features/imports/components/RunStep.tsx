import type { LucideIcon } from 'lucide-react';
import CircleAlert from 'lucide-react/icons/circle-alert';
import Equal from 'lucide-react/icons/equal';
import Minus from 'lucide-react/icons/minus';
import Plus from 'lucide-react/icons/plus';
import StickyNote from 'lucide-react/icons/sticky-note';
import UserRoundX from 'lucide-react/icons/user-round-x';
import { Link } from 'react-router';
import type { Import, ImportCounts, ImportOutcome } from '@matterdesk/contract/imports.ts';
import { useAttempt } from '../../../core/use-attempt.ts';
import { counted, formatCount } from '../../../core/words.ts';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { ProgressBar } from '../../../ui/ProgressBar.tsx';
import { ColumnHeader, Table, TableCell, TableHead, TableRow } from '../../../ui/Table.tsx';
import { runImport, stopImport, undoImport } from '../api.ts';
import { unmatchedKinds } from '../rules.columns.ts';
import { pageOf } from '../rules.problems.ts';
import {
  amountInWords,
  type CountsRow,
  countsRows,
  effectsOf,
  hasMoved,
  isHalted,
  timeLeftInWords,
  outcomeLabels,
  outcomes,
  recordLabels,
  type Step,
  totalOf,
  workInWords,
} from '../rules.ts';
import type { ShownImport } from '../slice.ts';
import { KindName } from './KindName.tsx';
import { Problems } from './Problems.tsx';
import { TwoColumns } from './Steps.tsx';

/** The third and the fourth step: progress, the table by kind, and the problems beside it. */
export function RunStep({ of, step }: { of: ShownImport; step: Step }) {
  const { import: shown } = of;
  const isAct = step === 'move' && shown.state === 'checked';
  const hasEffects = shown.state === 'running' ? !shown.undoing : !isAct && isWhole(shown);
  return (
    <>
      {/* Before the act its sentences have this place, and the bar has ended. */}
      {!isAct && <RunProgress of={of} />}
      {(shown.state === 'failed' || isHalted(shown)) && <Failed of={shown} />}
      <TwoColumns aside={<Problems of={shown} />}>
        {isAct && (
          <>
            <Effects of={shown} />
            <MoveIn id={shown.id} />
          </>
        )}
        {shown.state === 'undone' && (
          <>
            <Stayed of={shown} />
            <h2 className="pb-1 text-heading font-semibold">Imported before the undo</h2>
          </>
        )}
        {shown.problemCount > 0 && (
          // On a narrow screen the problems are below the table.
          <p className="pb-1 text-sm xl:hidden">
            <a href="#import-problems" className="link inline-flex min-h-6 items-center">
              {counted(shown.problemCount, 'problem')}
            </a>
          </p>
        )}
        <CountsTable of={shown} label={hasMoved(shown) ? 'Moved in' : 'Found by the check'} />
        {hasEffects && <Effects of={shown} className="pt-6" />}
      </TwoColumns>
    </>
  );
}

function isWhole({ state }: Import): boolean {
  return state === 'checked' || state === 'done';
}

function MoveIn({ id }: { id: string }) {
  const { attempt, isBusy } = useAttempt();
  const move = () => attempt(id, () => runImport({ params: { id }, body: { dryRun: false } }));
  return (
    <Button variant="primary" busy={isBusy} className="mt-4 mb-6" onClick={() => void move()}>
      Move in now
    </Button>
  );
}

function Failed({ of }: { of: Import }) {
  const { attempt, isBusy } = useAttempt();
  const { id, dryRun, undoing, error } = of;
  const resume = () =>
    attempt({ id, dryRun }, () =>
      undoing
        ? undoImport({ params: { id }, body: {} })
        : runImport({ params: { id }, body: { dryRun } }),
    );
  const isFailed = of.state === 'failed';
  return (
    <div
      role={isFailed ? 'alert' : 'status'}
      className={cx(
        'mt-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-card py-2 pr-2 pl-3',
        isFailed ? 'bg-red-soft text-red' : 'bg-amber-soft text-amber',
      )}
    >
      <p className="flex min-w-0 gap-2">
        <CircleAlert className="mt-0.5" />
        <span className="min-w-0 wrap-anywhere">
          {isFailed ? (error ?? 'Something went wrong.') : 'Someone stopped it.'} {restWords(of)}
        </span>
      </p>
      <Button size="small" busy={isBusy} onClick={() => void resume()}>
        Continue
      </Button>
    </div>
  );
}

function restWords({ dryRun, undoing }: Import): string {
  if (undoing) return 'What is removed so far stays removed.';
  return dryRun
    ? 'Nothing was saved; the check starts over.'
    : 'What came in so far stays, and it goes on from there.';
}

/** Records that an undo left, with the reason. */
function Stayed({ of: { left } }: { of: Import }) {
  return (
    <section aria-labelledby="import-stayed" className="pb-6">
      <h2 id="import-stayed" className="text-heading font-semibold">
        {left.length === 0 ? 'Nothing stayed' : `${counted(left.length, 'record')} stayed`}
      </h2>
      <p className="mt-0.5 text-sm text-ink-2">
        {left.length === 0
          ? 'Everything that the import had made is removed.'
          : 'Someone changed or used them since, so they are yours now.'}
      </p>
      {left.length > 0 && (
        <ul className="mt-2 divide-y divide-line border-y border-line">
          {left.map((one) => {
            const page = pageOf(one);
            return (
              <li
                key={`${one.kind} ${one.id}`}
                className="flex flex-wrap justify-between gap-x-4 gap-y-0.5 py-2 text-sm"
              >
                <span className="min-w-0 wrap-anywhere">
                  {page === null ? (
                    <span className="font-medium">{one.name}</span>
                  ) : (
                    <Link to={page.to} className="link">
                      {one.name}
                    </Link>
                  )}
                  <span className="ml-2 text-note text-ink-3">{recordLabels[one.kind]}</span>
                </span>
                <span className="min-w-0 text-ink-2 wrap-anywhere">{one.reason}</span>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}

type EffectSign = ReturnType<typeof effectsOf>[number]['sign'];

const icons: Record<EffectSign, LucideIcon> = {
  new: Plus,
  same: Equal,
  refused: Minus,
  note: StickyNote,
  person: UserRoundX,
};

/** 'What Move in will do', or has done. */
function Effects({ of, className }: { of: Import; className?: string }) {
  return (
    <section aria-labelledby="import-effects" className={className}>
      <h2 id="import-effects" className="text-heading font-semibold">
        {of.state === 'done' ? 'What Move in did' : 'What Move in will do'}
      </h2>
      <ul className="mt-2 space-y-1">
        {effectsOf(of, unmatchedKinds(of)).map(({ sign, text }) => {
          const Icon = icons[sign];
          return (
            <li key={sign} className="flex gap-2.5 text-sm text-ink-2">
              <Icon className="mt-px text-ink-3" />
              <span>{text}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** A line and a bar about the run, which keep their place once it has ended. */
function RunProgress({ of }: { of: ShownImport }) {
  const { import: shown } = of;
  const { attempt, isBusy } = useAttempt();
  const isRunning = shown.state === 'running';
  const hasAll = isWhole(shown);
  const isEnded = hasAll || shown.state === 'undone';
  const { done = 0, total = null } = shown.progress ?? {};
  return (
    <div className="pt-2">
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-4 pb-1 text-sm pointer-coarse:min-h-11">
        <p>
          <span className="font-semibold">{isRunning ? workInWords(shown) : endOf(shown)}</span>{' '}
          <span className="text-ink-2 tabular-nums">
            {isRunning ? amountInWords(shown) : hasAll && foundInWords(shown)}
          </span>
        </p>
        {isRunning && (
          <p className="flex items-center gap-3">
            <span className="text-ink-2">{timeLeftInWords(shown, of)}</span>
            {!shown.undoing && (
              <button
                type="button"
                className="link min-h-6 pointer-coarse:min-h-11"
                aria-disabled={isBusy}
                onClick={() =>
                  void attempt(shown.id, () => stopImport({ params: { id: shown.id } }))
                }
              >
                Stop
              </button>
            )}
          </p>
        )}
      </div>
      <ProgressBar
        label={isRunning ? workInWords(shown) : endOf(shown)}
        value={isRunning ? done : Number(isEnded)}
        max={isRunning ? (total ?? 0) : 1}
      />
    </div>
  );
}

function endOf(of: Import): string {
  const { state, dryRun } = of;
  if (isHalted(of)) return 'Stopped';
  if (state === 'undone') return 'Undone';
  if (state === 'failed') return dryRun ? 'The check stopped' : 'The move stopped';
  return state === 'done' ? 'Moved in' : 'Check finished';
}

function foundInWords(of: Import): string {
  return counted(totalOf(countsRows(of)).found, 'row');
}

const NAME = 'flex flex-wrap items-center gap-x-2 gap-y-0.5';

/** The outcome of a check or of a move, by kind. */
function CountsTable({ of, label }: { of: Import; label: string }) {
  const rows = countsRows(of);
  const total = totalOf(rows);
  const isRunning = of.state === 'running';
  return (
    <Table aria-label={label} aria-rowcount={rows.length + 2} className="move-in-counts">
      <TableHead>
        <ColumnHeader>Kind</ColumnHeader>
        <ColumnHeader align="end">Found</ColumnHeader>
        {outcomes.map((outcome) => (
          <ColumnHeader key={outcome} align="end" className="max-sm:hidden">
            {outcomeLabels[outcome]}
          </ColumnHeader>
        ))}
      </TableHead>
      <div role="rowgroup">
        {rows.map((row) => (
          <KindRow key={row.kind} row={row} />
        ))}
        <TableRow lines={1} className="font-semibold">
          <TableCell cut={false} className={NAME}>
            {isRunning ? 'Total so far' : 'Total'}
            <Stacked counts={total} />
          </TableCell>
          <TableCell align="end">{formatCount(total.found)}</TableCell>
          {outcomes.map((outcome) => (
            <TableCell key={outcome} align="end" className="max-sm:hidden">
              {formatCount(total[outcome])}
            </TableCell>
          ))}
        </TableRow>
      </div>
    </Table>
  );
}

function KindRow({ row: { kind, counts, found, isWaiting, percent } }: { row: CountsRow }) {
  return (
    <TableRow lines={1} className={cx(isWaiting && 'text-ink-3')}>
      <TableCell cut={false} className={NAME}>
        <KindName kind={kind} />
        {percent !== null && (
          <span className="min-w-9 rounded-small border border-line-strong px-1 text-center text-xs font-medium text-ink-2 tabular-nums">
            {`${percent}%`}
          </span>
        )}
        {isWaiting ? (
          <span className="w-full text-note sm:hidden">waiting</span>
        ) : (
          <Stacked counts={counts} />
        )}
      </TableCell>
      <TableCell align="end">{found === null ? '' : formatCount(found)}</TableCell>
      {outcomes.map((outcome, at) => (
        <TableCell key={outcome} align="end" className="max-sm:hidden">
          {isWaiting ? (
            at === outcomes.length - 1 && 'waiting'
          ) : (
            <Count of={counts[outcome]} outcome={outcome} />
          )}
        </TableCell>
      ))}
    </TableRow>
  );
}

const TONES: Partial<Record<ImportOutcome, string>> = {
  conflicting: 'font-medium text-amber',
  refused: 'font-medium text-red',
};

function Count({ of: count, outcome }: { of: number; outcome: ImportOutcome }) {
  return <span className={count === 0 ? 'text-ink-3' : TONES[outcome]}>{formatCount(count)}</span>;
}

/** On a phone the outcomes are a line below the name, each with its word. */
function Stacked({ counts }: { counts: ImportCounts }) {
  const shown = outcomes.filter((outcome) => counts[outcome] > 0);
  return (
    <span className="flex w-full flex-wrap gap-x-3 text-note font-normal text-ink-2 sm:hidden">
      {shown.map((outcome) => (
        <span key={outcome} className={TONES[outcome]}>
          {`${formatCount(counts[outcome])} ${outcome}`}
        </span>
      ))}
    </span>
  );
}
