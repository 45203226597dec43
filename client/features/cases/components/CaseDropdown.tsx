import Briefcase from 'lucide-react/icons/briefcase-business';
import { NOT_FILED } from '@matterdesk/contract/cases.ts';
import type { CaseFieldProps } from '../../../core/slots.ts';
import { useAppSelector } from '../../../core/store.ts';
import { useResource } from '../../../core/use-resource.ts';
import { Combobox } from '../../../ui/Combobox.tsx';
import type { Option } from '../../../ui/option.ts';
import { caseDetails } from '../api.ts';
import { useCaseOptions } from '../hooks/use-case-options.ts';

/** A dropdown of all cases, searched on the server; the best match of a text comes first. */
export function CaseDropdown({
  withIcon = false,
  placeholder = 'Select any case',
  value,
  ...props
}: CaseFieldProps) {
  const found = useCaseOptions();
  return (
    <Combobox
      {...props}
      {...found}
      {...(withIcon && { icon: Briefcase })}
      value={useNumbered(value)}
      placeholder={placeholder}
    />
  );
}

/** The chosen case with its number, which some of its sources lack. */
function useNumbered(value: Option | null): Option | null {
  const lacking = value?.number === undefined ? (value?.id ?? null) : null;
  const held = useAppSelector((state) =>
    lacking === null ? undefined : state.cases.entities[lacking],
  );
  useResource(caseDetails, held ? null : lacking);
  return value && held ? { ...value, number: held.caseNo ?? NOT_FILED } : value;
}
