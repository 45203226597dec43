import Download from 'lucide-react/icons/download';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router';
import type { Import } from '@matterdesk/contract/imports.ts';
import { CallError } from '../../api.ts';
import { lazyNamed } from '../../core/chunks.ts';
import { fullName } from '../../core/full-name.ts';
import { paths } from '../../core/paths.ts';
import { Pending } from '../../core/Pending.tsx';
import { useAttempt } from '../../core/use-attempt.ts';
import { counted, formatCount, fullMoment } from '../../core/words.ts';
import { Breadcrumbs } from '../../ui/Breadcrumbs.tsx';
import { buttonClass, Button } from '../../ui/Button.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { sizeInWords } from '../../ui/size-in-words.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { StaleNotice } from '../../ui/StaleNotice.tsx';
import { runImport, undoImport } from './api.ts';
import { ColumnsStep } from './components/ColumnsStep.tsx';
import { KindName } from './components/KindName.tsx';
import { RunStep } from './components/RunStep.tsx';
import { Steps, TwoColumns } from './components/Steps.tsx';
import { useChanges, useImport } from './hooks/use-import.ts';
import { isEmpty, obstacleOf } from './rules.columns.ts';
import {
  ADDED,
  addressOf,
  hasMoved,
  NEW_IMPORT,
  placesBelow,
  reachedStep,
  reportUrl,
  withoutUndoTrial,
  shownStep,
  type Step,
  stepInWords,
  summaryOf,
  systemOf,
} from './rules.ts';
import type { ShownImport } from './slice.ts';

/** An import from its files to the move, and back; part of the page of imports. */
export function ImportPage({ id }: { id: string }) {
  const { entry, announced } = useImport(id);
  const { data, failure, refresh } = entry;
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
          <PageHeader title="Move in" trail={<Breadcrumbs places={placesBelow} />}>
            {'\u00A0'}
          </PageHeader>
          <Pending of={entry} what="the import">
            <ImportSkeleton />
          </Pending>
        </>
      )}
    </>
  );
}

/** @param read as it was read */
function Shown({ of: read }: { of: ShownImport }) {
  // The page stays as it is while a trial run checks what an undo would leave.
  const shown = withoutUndoTrial(read.import);
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
        trail={<Breadcrumbs places={placesBelow} />}
        actions={<Actions of={shown} read={read.import} step={step} changes={changes} />}
      >
        {summaryOf(shown, step)}
      </PageHeader>
      <div className="px-4 pt-3 pb-9 sm:px-9">
        <Steps
          current={step}
          reached={reachedStep(shown)}
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

/** Focuses a step that replaces another, or a state that removed the focused button. */
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
  /** Also while a trial run checks what an undo would leave. */
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
          <LinkButton to={addressOf(id, reachedStep(of))} isAct>
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

/** The steps of an import that is being read, in their size. */
function ImportSkeleton() {
  return (
    <div className="px-4 pt-3 pb-9 sm:px-9">
      <Skeleton className="h-8 w-full max-w-[32rem]" />
      <div className="pt-2">
        <Skeleton className="h-8 w-full" />
      </div>
      <TwoColumns aside={<Rows count={6} className="h-14" />}>
        <Rows count={10} className="h-[22px]" />
      </TwoColumns>
    </div>
  );
}

function Rows({ count, className }: { count: number; className: string }) {
  return (
    <div className="space-y-4">
      {Array.from({ length: count }, (_, at) => (
        <Skeleton key={at} className={`${className} w-full`} />
      ))}
    </div>
  );
}

/** The files of an import whose upload is complete; they can no longer change. */
function FilesStep({ of }: { of: Import }) {
  const { files, fileCount, by, at } = of;
  const rest = fileCount - files.length;
  return (
    <TwoColumns
      aside={
        <>
          <h2 className="text-heading font-semibold">Other files</h2>
          <p className="mt-2 text-sm text-ink-2">
            The files of an import stay as they are. A newer export is a{' '}
            <Link to={NEW_IMPORT} className="link">
              new import
            </Link>
            : records that are already here are recognized and not added twice.
          </p>
        </>
      }
    >
      <h2 className="text-heading font-semibold">{counted(fileCount, 'file')}</h2>
      <p className="text-sm text-ink-2">{`Added by ${fullName(by)}, ${fullMoment(at)}`}</p>
      <ul className="mt-3 divide-y divide-line border-y border-line">
        {files.map((file) => (
          <li key={file.path} className="flex min-h-10 items-center gap-4 py-1.5">
            <span className="min-w-0 grow wrap-anywhere">{file.path}</span>
            <span className="flex-none text-sm text-ink-2">
              <FileKind of={file} />
            </span>
            <span className="w-16 flex-none text-right text-note text-ink-3 tabular-nums">
              {sizeInWords(file.size)}
            </span>
          </li>
        ))}
      </ul>
      {rest > 0 && <p className="pt-3 text-sm text-ink-2">{`and ${formatCount(rest)} more`}</p>}
    </TwoColumns>
  );
}

function FileKind({ of }: { of: Import['files'][number] }) {
  const { kind } = of;
  if (isEmpty(of)) return 'Empty';
  return kind === null ? 'Not read' : <KindName kind={kind} />;
}

const ConfirmDialog = lazyNamed(() => import('../../ui/ConfirmDialog.tsx'), 'ConfirmDialog');

const SHOWN = 4;

/** Asks before an undo, and says what it would leave. */
function UndoDialog({ of, onClose }: { of: Import; onClose: () => void }) {
  const { attempt, isBusy } = useAttempt();
  const left = useRecordsLeft(of);
  const { id } = of;
  const undo = async () => {
    if (await attempt(id, () => undoImport({ params: { id }, body: {} }))) onClose();
  };
  return (
    <ConfirmDialog
      open
      title={`Undo the import from ${systemOf(of)}?`}
      confirmLabel="Undo import"
      busy={isBusy || left === 'asking'}
      onClose={onClose}
      onConfirm={() => void undo()}
    >
      Everything that it added is removed. What someone changed or used since stays.
      {/* As tall as most answers, so that the buttons keep their place. */}
      <span className="mt-2 block min-h-10">{recordsLeftInWords(left)}</span>
    </ConfirmDialog>
  );
}

/** `unknown` for an unfinished move, where a trial undo would overwrite the resume point. */
type RecordsLeft = Import['left'] | 'asking' | 'failed' | 'unknown';

/** Records that an undo would leave, found by a trial run. */
function useRecordsLeft(of: Import): RecordsLeft {
  const [state, setState] = useState<'asking' | 'asked' | 'failed' | 'unknown'>(
    of.state === 'done' ? 'asking' : 'unknown',
  );
  const isWanted = state !== 'unknown';
  const { id } = of;
  useEffect(() => {
    if (!isWanted) return undefined;
    let isOver = false;
    undoImport({ params: { id }, body: { dryRun: true } }).then(
      () => !isOver && setState('asked'),
      (error: unknown) => {
        if (!(error instanceof CallError)) throw error;
        if (!isOver) setState('failed');
      },
    );
    return () => {
      isOver = true;
    };
  }, [id, isWanted]);
  if (state === 'unknown') return state;
  if (state === 'failed' || of.state === 'failed') return 'failed';
  return state === 'asking' || of.state === 'running' ? 'asking' : of.left;
}

function recordsLeftInWords(left: RecordsLeft): string {
  if (left === 'asking') return 'Checking what would stay …';
  if (left === 'unknown') return '';
  if (left === 'failed') return 'Couldn’t check what would stay.';
  if (left.length === 0) return 'Nothing would stay.';
  const names = left.slice(0, SHOWN).map(({ name }) => name);
  const rest = left.length - names.length;
  const more = rest > 0 ? `, and ${formatCount(rest)} more` : '';
  // The trial can't say yet what the matters that stay would use.
  const hasMatters = left.some(({ kind }) => kind === 'matters');
  const used = hasMatters ? ' The contacts they use would stay too.' : '';
  return `${counted(left.length, 'record')} would stay: ${names.join(', ')}${more}.${used}`;
}
