import { timeInWords } from '../rules.ts';
import type { Keeping } from './use-draft-keeper.ts';

interface KeepingMarkProps {
  keeping: Keeping;
  /** When the draft was last saved. */
  savedAt: string | undefined;
}

/** Whether and when the draft was saved to Gmail. Screen readers announce only failures. */
export function KeepingMark({ keeping, savedAt }: KeepingMarkProps) {
  return (
    <div className="min-w-0 grow text-right text-note text-ink-3 tabular-nums">
      {keeping === 'saving' && 'Saving'}
      {keeping === 'idle' && savedAt !== undefined && (
        <>
          Saved
          <span className="max-[360px]:hidden">
            {' at '}
            <span className="whitespace-nowrap">{timeInWords(savedAt)}</span>
          </span>
        </>
      )}
      <span role="status" className="text-amber">
        {keeping === 'failed' && 'Not saved'}
      </span>
    </div>
  );
}
