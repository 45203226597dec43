import { scopes, type Scope } from '@matterdesk/contract/calendar.ts';
import { RadioGroup } from '../../../ui/RadioGroup.tsx';

const labels = {
  this: 'This event',
  following: 'This and following',
  all: 'All events',
} as const;
const options = scopes.map((value) => ({ value, label: labels[value] }));

interface ScopeFieldProps {
  value: Scope;
  onChange: (scope: Scope) => void;
}

/** Which events of a series a change means. */
export function ScopeField({ value, onChange }: ScopeFieldProps) {
  return (
    <RadioGroup
      legend="Change"
      name="scope"
      options={options}
      selected={value}
      onChange={({ target }) => onChange(scopes.find((name) => name === target.value) ?? 'this')}
    />
  );
}
