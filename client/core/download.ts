import { toast } from '../ui/toast-store.ts';
import { useAttempt } from './use-attempt.ts';

/** Saves what a call downloads as a file, and says so; one at a time. */
export function useDownload() {
  const { isBusy, attempt } = useAttempt();
  const save = (done: string, read: () => Promise<{ blob: Blob; name: string }>) =>
    attempt(null, async () => {
      const { blob, name } = await read();
      saveFile(blob, name);
      toast.success(done);
    });
  return { isBusy, save };
}

/** Has the browser save a blob as a file. */
export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers read the blob only after handling the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
