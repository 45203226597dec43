import CircleAlert from 'lucide-react/icons/circle-alert';
import { Link } from 'react-router';
import type { Import } from '@matterdesk/contract/imports.ts';
import { paths } from '../../../core/paths.ts';
import { useAttempt } from '../../../core/use-attempt.ts';
import { counted } from '../../../core/words.ts';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { runImport, undoImport } from '../api.ts';
import { hasMoved, isHalted, recordLabels, type Step } from '../rules.ts';
import type { ShownImport } from '../slice.ts';
import { CountsTable } from './CountsTable.tsx';
import { Deeds } from './Deeds.tsx';
import { Problems } from './Problems.tsx';
import { RunProgress } from './RunProgress.tsx';
import { TwoColumns } from './TwoColumns.tsx';

/** The third and the fourth step: progress, the table by kind, and the problems beside it. */
export function RunStep({ of, step }: { of: ShownImport; step: Step }) {
  const { import: shown } = of;
  const isAct = step === 'move' && shown.state === 'checked';
  const hasDeeds = shown.state === 'running' ? !shown.undoing : !isAct && isWhole(shown);
  return (
    <>
      {/* Before the act its sentences have this place, and the bar has ended. */}
      {!isAct && <RunProgress of={of} />}
      {(shown.state === 'failed' || isHalted(shown)) && <Failed of={shown} />}
      <TwoColumns aside={<Problems of={shown} />}>
        {isAct && (
          <>
            <Deeds of={shown} />
            <MoveIn id={shown.id} />
          </>
        )}
        {shown.state === 'undone' && (
          <>
            <Stayed of={shown} />
            <h2 className="pb-1 text-heading font-semibold">What had come in</h2>
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
        {hasDeeds && <Deeds of={shown} className="pt-6" />}
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
  const goOn = () =>
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
      <Button size="small" busy={isBusy} onClick={() => void goOn()}>
        Go on
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
            const to = pageOf(one);
            return (
              <li
                key={`${one.kind} ${one.id}`}
                className="flex flex-wrap justify-between gap-x-4 gap-y-0.5 py-2 text-sm"
              >
                <span className="min-w-0 wrap-anywhere">
                  {to === null ? (
                    <span className="font-medium">{one.name}</span>
                  ) : (
                    <Link to={to} className="link">
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

function pageOf({ kind, id }: Import['left'][number]): string | null {
  if (kind === 'matters') return paths.caseDetails(id);
  return kind === 'contacts' ? paths.contact(id) : null;
}
