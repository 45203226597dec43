import { useState } from 'react';
import { useNewInAddress } from '../../../core/use-new-in-address.ts';

type OpenDialog = 'new' | 'import' | 'walls' | null;

/** The dialog over the list of matters; the address opens that of a new case. */
export function useMattersDialog(canOpen: boolean) {
  const [dialog, setDialog] = useState<OpenDialog>(null);
  useNewInAddress(() => setDialog('new'), canOpen);
  return [dialog, setDialog] as const;
}
