import { storageRoutes, trashRoutes } from '@matterdesk/contract/storage.ts';
import { call } from '../../api.ts';
import { readQuietly } from '../../core/use-read.ts';

export function readStorage() {
  return readQuietly(storageRoutes.readStorage);
}

export function emptyTrash() {
  return call(trashRoutes.emptyTrash);
}

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
