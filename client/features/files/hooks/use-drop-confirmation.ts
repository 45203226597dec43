import { useState } from 'react';
import { sendFiles } from '../api.uploads.ts';
import { type Dropped, isPlain, MAX_ADDED, type Parcel, toParcels } from '../rules.dropped.ts';

/** Files waiting for confirmation. */
export type PendingDrop = { parcels: readonly Parcel[]; dropped: Dropped };

/**
 * Uploads dropped and chosen files to their folders, asking first when the result is not obvious.
 * @param onSent receives the folders
 */
export function useDropConfirmation(
  caseId: string,
  known: readonly string[],
  onSent: (folders: readonly string[]) => void,
) {
  const [pending, setPending] = useState<PendingDrop | null>(null);
  const send = (parcels: readonly Parcel[], folder: string) => {
    for (const parcel of parcels)
      sendFiles({ caseId, folder: parcel.folder ?? folder }, parcel.files);
    onSent(parcels.map((parcel) => parcel.folder ?? folder));
  };
  return {
    pending,
    /** `target` is null outside of folders. */
    take: (target: string | null, dropped: Dropped) => {
      const parcels = toParcels(dropped.found, { target, known });
      if (target !== null && isPlain(parcels, target)) send(parcels, target);
      else setPending({ parcels, dropped });
    },
    /** `folder` is for the files dropped outside of folders. */
    confirm: (folder: string) => {
      if (pending) send(pending.parcels, folder);
      setPending(null);
    },
    forget: () => setPending(null),
  };
}

export function isTooMany({ found }: Dropped): boolean {
  return found.length > MAX_ADDED;
}
