import type { ComponentType, Ref } from 'react';
import type { Option } from '../ui/option.ts';

export interface CaseFieldProps {
  value: Option | null;
  onChange: (option: Option | null) => void;
  'aria-label'?: string;
  withIcon?: boolean;
  placeholder?: string;
  onBlur?: () => void;
  ref?: Ref<{ focus: () => void }>;
  className?: string;
}

/** The dropdown of all cases, which pages pass to features that cannot import the cases feature. */
export type CaseField = ComponentType<CaseFieldProps>;
