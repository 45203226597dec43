import { useState } from 'react';
import { sendFiles } from '../api.uploads.ts';
import { type Dropped, isPlain, MOST_ADDED, type Parcel, toParcels } from '../rules.dropped.ts';

/** What waits for a word before it is sent. */
export type Adding = { parcels: readonly Parcel[]; dropped: Dropped };

/**
 * Brings dropped and chosen files to their folders; whatever is not plain is asked about first.
 * @param onSent hears which folders get some
 */
export function useAdding(
  caseId: string,
  known: readonly string[],
  onSent: (folders: readonly string[]) => void,
) {
  const [adding, setAdding] = useState<Adding | null>(null);
  const send = (parcels: readonly Parcel[], folder: string) => {
    for (const parcel of parcels)
      sendFiles({ caseId, folder: parcel.folder ?? folder }, parcel.files);
    onSent(parcels.map((parcel) => parcel.folder ?? folder));
  };
  return {
    adding,
    /** `target` is null beside the folders. */
    take: (target: string | null, dropped: Dropped) => {
      const parcels = toParcels(dropped.found, { target, known });
      if (target !== null && isPlain(parcels, target)) send(parcels, target);
      else setAdding({ parcels, dropped });
    },
    /** `folder` is for the files that came without one. */
    confirm: (folder: string) => {
      if (adding) send(adding.parcels, folder);
      setAdding(null);
    },
    forget: () => setAdding(null),
  };
}

export function isTooMany({ found }: Dropped): boolean {
  return found.length > MOST_ADDED;
}
