import { seriesScopes, type SeriesScope } from '@matterdesk/contract/calendar.ts';
import { RadioGroup } from '../../../ui/RadioGroup.tsx';

const labels = {
  this: 'This event',
  following: 'This and following',
  all: 'All events',
} as const;
const options = seriesScopes.map((value) => ({ value, label: labels[value] }));

interface ScopeFieldProps {
  value: SeriesScope;
  onChange: (scope: SeriesScope) => void;
}

/** Which events of a series a change means. */
export function ScopeField({ value, onChange }: ScopeFieldProps) {
  return (
    <RadioGroup
      legend="Change"
      name="scope"
      options={options}
      selected={value}
      onChange={({ target }) =>
        onChange(seriesScopes.find((name) => name === target.value) ?? 'this')
      }
    />
  );
}
