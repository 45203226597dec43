import { useSyncExternalStore } from 'react';
import { allSendings, onSendings, type Sending } from '../api.uploads.ts';

/** The files on their way, as they stand. */
export function useUploads(): readonly Sending[] {
  return useSyncExternalStore(onSendings, allSendings);
}
