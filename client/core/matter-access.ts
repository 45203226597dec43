import type { ComponentType } from 'react';
import type { WalledKind } from '@matterdesk/contract/access.ts';

/** Props for the 'Access' dialog of a case or an intake. */
export interface MatterAccessProps {
  kind: WalledKind;
  id: string;
  name: string;
  /** After the access was changed here, of which this browser receives no event. */
  onSaved: () => void;
  onClose: () => void;
}

/** The dialog, which pages pass to features that cannot import access. */
export type MatterAccess = ComponentType<MatterAccessProps>;
