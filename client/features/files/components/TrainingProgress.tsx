import { useState } from 'react';
import type { Library } from '@matterdesk/contract/files.ts';
import { ProgressBar } from '../../../ui/ProgressBar.tsx';
import { batchOf } from '../rules.ts';

/** One progress for all files of a case that are being trained. */
export function TrainingProgress({ training }: Pick<Library, 'training'>) {
  const [seen, setSeen] = useState(() => ({ training, ...batchOf([], training) }));
  if (seen.training !== training) setSeen({ training, ...batchOf(seen.urls, training) });
  const { batch } = seen;
  // A single file shows its own progress.
  if (!batch || batch.of < 2) return null;
  const { of, trained, failed } = batch;
  return (
    <div className="mb-2">
      <p role="status" className="mb-1 text-sm text-ink-2 tabular-nums">
        {`${trained.toLocaleString()} of ${of.toLocaleString()} trained`}
        {failed > 0 && `, ${failed.toLocaleString()} failed`}
      </p>
      <ProgressBar label="Training" value={trained + failed} max={of} />
    </div>
  );
}
