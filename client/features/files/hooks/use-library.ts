import { createContext, useContext } from 'react';
import type { TrainingActions } from './use-training.ts';

/** Actions on the files of the open case. */
export type LibraryActions = TrainingActions & {
  caseId: string;
  onAsk: (at: { folder: string; name: string }) => void;
  onShow: (at: { folder: string; name: string; version?: number }) => void;
  onDelete: (at: { folder: string; url: string }) => Promise<void>;
};

export const LibraryContext = createContext<LibraryActions | null>(null);

export function useLibrary(): LibraryActions {
  const actions = useContext(LibraryContext);
  if (!actions) throw new Error('Only inside of CaseFiles');
  return actions;
}
