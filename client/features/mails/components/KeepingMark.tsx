import { timeInWords } from '../rules.ts';
import type { Keeping } from './use-draft-keeper.ts';

interface KeepingMarkProps {
  keeping: Keeping;
  /** When it was kept last. */
  savedAt: string | undefined;
}

/** Whether what is written is kept at Google, and since when. Only that it is not is read out. */
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
