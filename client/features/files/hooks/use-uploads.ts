import { useSyncExternalStore } from 'react';
import { allUploads, onUploads, type PendingUpload } from '../api.uploads.ts';

/** The files on their way, as they stand. */
export function useUploads(): readonly PendingUpload[] {
  return useSyncExternalStore(onUploads, allUploads);
}
