// What features share and no user sees: typed hooks, paths, storage, uploads, resources from the server.

import type { ComponentType, Ref } from 'react';
import type { Option } from '../ui/option.ts';

export interface CaseFieldProps {
  value: Option | null;
  onChange: (option: Option | null) => void;
  'aria-label'?: string;
  withIcon?: boolean;
  onBlur?: () => void;
  ref?: Ref<{ focus: () => void }>;
  className?: string;
}

/** The dropdown of all cases: the page takes it from the cases feature and hands it to its own. */
export type CaseField = ComponentType<CaseFieldProps>;
