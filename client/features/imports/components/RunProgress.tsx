import type { Import } from '@matterdesk/contract/imports.ts';
import { useAttempt } from '../../../core/use-attempt.ts';
import { counted } from '../../../core/words.ts';
import { ProgressBar } from '../../../ui/ProgressBar.tsx';
import { stopImport } from '../api.ts';
import {
  amountInWords,
  countsRows,
  isHalted,
  leftInWords,
  totalOf,
  workInWords,
} from '../rules.ts';
import type { ShownImport } from '../slice.ts';

/** A line and a bar about the run, which keep their place once it has ended. */
export function RunProgress({ of }: { of: ShownImport }) {
  const { import: shown } = of;
  const { attempt, isBusy } = useAttempt();
  const isRunning = shown.state === 'running';
  const isWhole = shown.state === 'checked' || shown.state === 'done';
  const isEnded = isWhole || shown.state === 'undone';
  const { done = 0, total = null } = shown.progress ?? {};
  return (
    <div className="pt-2">
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-4 pb-1 text-sm pointer-coarse:min-h-11">
        <p>
          <span className="font-semibold">{isRunning ? workInWords(shown) : endOf(shown)}</span>{' '}
          <span className="text-ink-2 tabular-nums">
            {isRunning ? amountInWords(shown) : isWhole && foundInWords(shown)}
          </span>
        </p>
        {isRunning && (
          <p className="flex items-center gap-3">
            <span className="text-ink-2">{leftInWords(shown, of)}</span>
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
