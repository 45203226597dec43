import { useEffect, useRef, useState } from 'react';
import { UploadRow } from '../features/files/components/UploadRow.tsx';
import { useUploads } from '../features/files/components/use-uploads.ts';

/** Files that were dropped together. */
export type Batch = { id: number; caseId: string; folder: string; files: readonly File[] };

/** Some files on their way to one folder; whatever is chosen meanwhile, they go where they were meant to. */
export function UploadBatch({ batch, onDone }: { batch: Batch; onDone: () => void }) {
  const { sendings, add, cancel, retry } = useUploads(batch.caseId);
  const [isBegun, setIsBegun] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      setIsBegun(true);
      add(batch.folder, batch.files);
    });
    return () => clearTimeout(timer);
  }, [add, batch]);
  const done = useRef(onDone);
  useEffect(() => {
    done.current = onDone;
  });
  const isDone = isBegun && sendings.length === 0;
  useEffect(() => {
    if (isDone) done.current();
  }, [isDone]);
  return (
    <div className="mt-2">
      {sendings.map((sending) => (
        <UploadRow
          key={sending.id}
          sending={sending}
          onCancel={() => cancel(sending.id)}
          onRetry={() => retry(sending)}
        />
      ))}
    </div>
  );
}
