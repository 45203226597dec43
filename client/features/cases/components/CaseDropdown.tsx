import Briefcase from 'lucide-react/icons/briefcase-business';
import type { CaseFieldProps } from '../../../core/case-field.ts';
import { Combobox } from '../../../ui/Combobox.tsx';
import { useCaseOptions } from '../hooks/use-case-options.ts';

/** A dropdown of all cases, searched on the server. */
export function CaseDropdown({
  withIcon = false,
  placeholder = 'Select any case',
  ...props
}: CaseFieldProps) {
  const found = useCaseOptions();
  return (
    <Combobox
      {...props}
      {...found}
      {...(withIcon && { icon: Briefcase })}
      placeholder={placeholder}
    />
  );
}
