import { lazy, Suspense, useEffect, useState } from 'react';
import type { Import } from '@matterdesk/contract/imports.ts';
import { CallError } from '../../../api.ts';
import { useAttempt } from '../../../core/use-attempt.ts';
import { counted, formatCount } from '../../../core/words.ts';
import { undoImport } from '../api.ts';
import { systemOf } from '../rules.ts';

const ConfirmDialog = lazy(async () => ({
  default: (await import('../../../ui/ConfirmDialog.tsx')).ConfirmDialog,
}));

const SHOWN = 4;

/** Asks before an undo, and says what it would leave. */
export function UndoDialog({ of, onClose }: { of: Import; onClose: () => void }) {
  const { attempt, isBusy } = useAttempt();
  const left = useLeft(of);
  const { id } = of;
  const undo = async () => {
    if (await attempt(id, () => undoImport({ params: { id }, body: {} }))) onClose();
  };
  return (
    <Suspense>
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
        <span className="mt-2 block min-h-10">{leftInWords(left)}</span>
      </ConfirmDialog>
    </Suspense>
  );
}

/** `unknown` of a move that was not finished: the look would take the place of where it stopped. */
type Left = Import['left'] | 'asking' | 'failed' | 'unknown';

/** Records that an undo would leave: a run looks for them. */
function useLeft(of: Import): Left {
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

function leftInWords(left: Left): string {
  if (left === 'asking') return 'Looking for what would stay …';
  if (left === 'unknown') return '';
  if (left === 'failed') return 'Couldn’t look for what would stay.';
  if (left.length === 0) return 'Nothing would stay.';
  const names = left.slice(0, SHOWN).map(({ name }) => name);
  const rest = left.length - names.length;
  const more = rest > 0 ? `, and ${formatCount(rest)} more` : '';
  // The look does not know yet what is in use then.
  const hasMatters = left.some(({ kind }) => kind === 'matters');
  const used = hasMatters ? ' So would the contacts of what stays.' : '';
  return `${counted(left.length, 'record')} would stay: ${names.join(', ')}${more}.${used}`;
}
