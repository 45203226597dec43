import { saveFile } from '../ui/save-file.ts';
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
