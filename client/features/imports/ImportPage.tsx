import Download from 'lucide-react/icons/download';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router';
import type { Import } from '@matterdesk/contract/imports.ts';
import { paths } from '../../core/paths.ts';
import { Pending } from '../../core/Pending.tsx';
import { useAttempt } from '../../core/use-attempt.ts';
import { Button } from '../../ui/Button.tsx';
import { buttonClass } from '../../ui/button-class.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { StaleNotice } from '../../ui/StaleNotice.tsx';
import { runImport } from './api.ts';
import { ColumnsStep } from './components/ColumnsStep.tsx';
import { FilesStep } from './components/FilesStep.tsx';
import { ImportSkeleton } from './components/ImportSkeleton.tsx';
import { RunStep } from './components/RunStep.tsx';
import { Steps } from './components/Steps.tsx';
import { Trail } from './components/Trail.tsx';
import { UndoDialog } from './components/UndoDialog.tsx';
import { useChanges } from './hooks/use-changes.ts';
import { useImport } from './hooks/use-import.ts';
import { obstacleOf } from './rules.columns.ts';
import {
  hasMoved,
  reached,
  reportUrl,
  settled,
  shownStep,
  type Step,
  stepInWords,
  summaryOf,
  systemOf,
  addressOf,
  NEW_IMPORT,
  ADDED,
} from './rules.ts';
import type { ShownImport } from './slice.ts';

/** An import from its files to the move, and back; part of the page of imports. */
export function ImportPage({ id }: { id: string }) {
  const { one, announced } = useImport(id);
  const { data, failure, refresh } = one;
  return (
    <>
      <p role="status" className="sr-only">
        {announced}
      </p>
      {data && failure && (
        <StaleNotice onRetry={refresh} className="">
          {`This may be out of date: ${failure.message}`}
        </StaleNotice>
      )}
      {data ? (
        <Shown of={data} />
      ) : (
        <>
          <PageHeader title="Move in" trail={<Trail isBelow />}>
            {'\u00A0'}
          </PageHeader>
          <Pending of={one} what="the import">
            <ImportSkeleton />
          </Pending>
        </>
      )}
    </>
  );
}

/** @param read as it was read */
function Shown({ of: read }: { of: ShownImport }) {
  // The page stays as it is while a run looks at what an undo would leave.
  const shown = settled(read.import);
  const of = { ...read, import: shown };
  const [params] = useSearchParams();
  const step = shownStep(params.get('step') ?? '', shown);
  const changes = useChanges(shown);
  const place = useFocusOnStep(step, shown.state);
  const isEnded = shown.state === 'done' || shown.state === 'undone';
  const to = (target: Step) => addressOf(shown.id, target);
  return (
    <>
      <PageHeader
        title={`Move in from ${systemOf(shown)}`}
        trail={<Trail isBelow />}
        actions={<Actions of={shown} read={read.import} step={step} changes={changes} />}
      >
        {summaryOf(shown, step)}
      </PageHeader>
      <div className="px-4 pt-3 pb-9 sm:px-9">
        <Steps
          current={step}
          reached={reached(shown)}
          to={to}
          isDone={isEnded}
          note={changes.isSaving ? 'Saving …' : stepInWords(shown, step)}
        />
        <section
          ref={place}
          tabIndex={-1}
          aria-label={stepInWords(shown, step)}
          className="outline-none"
        >
          {step === 'files' && <FilesStep of={shown} />}
          {step === 'columns' && (
            <ColumnsStep changes={changes} isFixed={hasMoved(shown) || shown.state === 'running'} />
          )}
          {(step === 'check' || step === 'move') && <RunStep of={of} step={step} />}
        </section>
      </div>
    </>
  );
}

/**
 * A step that replaces another takes the focus, which would be lost with the button that led to it; and so does a
 * state whose buttons replaced the one that had it.
 */
function useFocusOnStep(step: Step, state: Import['state']) {
  const place = useRef<HTMLElement>(null);
  const isAdded = useLocation().state === ADDED;
  const before = useRef<{ step: Step | null; state: Import['state'] }>({
    step: isAdded ? null : step,
    state,
  });
  useEffect(() => {
    const isOther = before.current.step !== step;
    const isLost = before.current.state !== state && document.activeElement === document.body;
    if (isOther || isLost) place.current?.focus({ preventScroll: true });
    before.current = { step, state };
  }, [step, state]);
  return place;
}

interface ActionsProps {
  of: Import;
  /** Also while a run looks at what an undo would leave. */
  read: Import;
  step: Step;
  changes: ReturnType<typeof useChanges>;
}

function Actions({ of, read, step, changes }: ActionsProps) {
  const { id, state } = of;
  const isRunning = state === 'running';
  const report = (step === 'check' || step === 'move') && (
    <a href={reportUrl(id)} download className={buttonClass()}>
      <Download />
      Report (CSV)
    </a>
  );
  if (step === 'files')
    return (
      <>
        <LinkButton to={paths.imports}>Back</LinkButton>
        <LinkButton to={addressOf(id, 'columns')} isAct>
          Continue
        </LinkButton>
      </>
    );
  if (step === 'columns')
    return (
      <>
        <LinkButton to={addressOf(id, 'files')}>Back</LinkButton>
        {hasMoved(of) || isRunning ? (
          <LinkButton to={addressOf(id, reached(of))} isAct>
            Continue
          </LinkButton>
        ) : (
          <Check changes={changes} />
        )}
      </>
    );
  if (step === 'check')
    return (
      <>
        {report}
        <LinkButton to={addressOf(id, 'columns')}>Back</LinkButton>
        {state === 'checked' ? (
          <LinkButton to={addressOf(id, 'move')} isAct>
            Move in
          </LinkButton>
        ) : (
          <Button disabled>Move in</Button>
        )}
      </>
    );
  return (
    <>
      {report}
      {state === 'checked' && <LinkButton to={addressOf(id, 'check')}>Back</LinkButton>}
      {hasMoved(of) && !isRunning && state !== 'undone' && <Undo of={read} />}
      {state === 'undone' && <LinkButton to={NEW_IMPORT}>New import</LinkButton>}
    </>
  );
}

interface LinkButtonProps {
  to: string;
  isAct?: boolean;
  children: ReactNode;
}

function LinkButton({ to, isAct = false, children }: LinkButtonProps) {
  return (
    <Link to={to} className={buttonClass({ variant: isAct ? 'primary' : 'default' })}>
      {children}
    </Link>
  );
}

/** Starts the dry run, once every choice is saved. */
function Check({ changes: { shown, saved } }: Pick<ActionsProps, 'changes'>) {
  const navigate = useNavigate();
  const { attempt, isBusy } = useAttempt();
  const { id } = shown;
  const obstacle = obstacleOf(shown);
  const check = async () => {
    if (!(await saved())) return;
    await attempt(id, async () => {
      await runImport({ params: { id }, body: { dryRun: true } });
      void navigate(addressOf(id, 'check'), { replace: true });
    });
  };
  return (
    <Button
      variant="primary"
      busy={isBusy}
      disabled={obstacle !== null}
      {...(obstacle !== null && { title: obstacle })}
      onClick={() => void check()}
    >
      Check
    </Button>
  );
}

function Undo({ of }: { of: Import }) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Button onClick={() => setIsAsking(true)}>Undo</Button>
      {isAsking && <UndoDialog of={of} onClose={() => setIsAsking(false)} />}
    </>
  );
}
