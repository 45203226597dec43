import Check from 'lucide-react/icons/check';
import type { Keeping } from './use-draft-keeper.ts';

/** Whether what is written is kept at Google. */
export function KeepingMark({ keeping }: { keeping: Keeping }) {
  return (
    <p role="status" className="flex grow items-center justify-end gap-1 text-note text-ink-3">
      {keeping === 'saving' && 'Saving'}
      {keeping === 'saved' && (
        <>
          <Check className="size-3.5" /> Saved
        </>
      )}
      {keeping === 'failed' && <span className="text-amber">Not saved</span>}
    </p>
  );
}
