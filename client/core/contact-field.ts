import type { Ref } from 'react';
import type { Option } from '../ui/option.ts';

/** What the dropdown of all contacts takes. */
export interface ContactFieldProps {
  value: Option | null;
  onChange: (option: Option | null) => void;
  'aria-label'?: string;
  placeholder?: string;
  /** Ids of contacts that are not offered. */
  without?: readonly string[];
  onBlur?: () => void;
  ref?: Ref<{ focus: () => void }>;
  className?: string;
}
