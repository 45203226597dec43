import { storageRoutes, trashRoutes } from '@matterdesk/contract/storage.ts';
import { mutation } from '../../core/mutation.ts';
import { readQuietly } from '../../core/use-read.ts';

export function readStorage() {
  return readQuietly(storageRoutes.readStorage);
}

export const emptyTrash = mutation(trashRoutes.emptyTrash, 'Couldn’t empty the trash');

/** Whether the server reports that little room is left; false while it does not reply. */
export async function isStorageLow(): Promise<boolean> {
  try {
    const reply = await fetch('/readyz', { cache: 'no-store' });
    const { storage } = (await reply.json()) as { storage?: unknown };
    return storage === 'low';
  } catch {
    return false;
  }
}
