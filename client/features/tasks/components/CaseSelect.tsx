import { useState } from 'react';
import type { RefCallBack } from 'react-hook-form';
import type { CaseField } from '../../../core/case-field.ts';
import type { Option } from '../../../ui/option.ts';

interface CaseSelectProps {
  ref: RefCallBack;
  value: string;
  onChange: (id: string) => void;
  onBlur: () => void;
  /** The case that is proposed, whose name is known already. */
  matter: Option | null;
  caseField: CaseField;
}

/** The case of a task, as a field of its form: the form holds the id, and this its name. */
export function CaseSelect(props: CaseSelectProps) {
  const { ref, value, onChange, onBlur, matter } = props;
  const [chosen, setChosen] = useState<Option | null>(null);
  return (
    <props.caseField
      ref={ref}
      value={[chosen, matter].find((option) => option?.id === value) ?? null}
      onBlur={onBlur}
      onChange={(option) => {
        setChosen(option);
        onChange(option?.id ?? '');
      }}
    />
  );
}
