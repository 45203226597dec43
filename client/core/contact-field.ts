import type { ComponentType, Ref } from 'react';
import type { Option } from '../ui/option.ts';

/** Props for the dropdown of all contacts. */
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

/** The dropdown, which pages pass to features that cannot import contacts. */
export type ContactField = ComponentType<ContactFieldProps>;
