import { toast } from './toast-store.ts';

/**
 * Copies a text, and says so.
 * @param done the toast, such as 'Link copied'
 * @returns whether it was copied; a browser may refuse
 */
export async function copyToClipboard(text: string, done: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    toast.error('Couldn’t copy');
    return false;
  }
  toast.success(done);
  return true;
}
