import Briefcase from 'lucide-react/icons/briefcase-business';
import type { Ref } from 'react';
import { Combobox } from '../ui/Combobox.tsx';
import type { Option } from '../ui/option.ts';
import { useCaseOptions } from './use-case-options.ts';

interface CaseDropdownProps {
  value: Option | null;
  onChange: (option: Option | null) => void;
  'aria-label'?: string;
  withIcon?: boolean;
  onBlur?: () => void;
  ref?: Ref<{ focus: () => void }>;
  className?: string;
}

/** One case out of however many the firm has. */
export function CaseDropdown({ withIcon = false, ...props }: CaseDropdownProps) {
  const found = useCaseOptions();
  return (
    <Combobox
      {...props}
      {...found}
      {...(withIcon && { icon: Briefcase })}
      placeholder="Select any case"
    />
  );
}
