import X from 'lucide-react/icons/x';
import { usePeople } from '../../../core/people.ts';
import { Button } from '../../../ui/Button.tsx';
import { Select } from '../../../ui/Select.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { actionOptions, entityOptions } from '../rules.ts';
import type { Filters } from '../slice.ts';

interface RecordFiltersProps {
  filters: Filters;
  /** An empty value removes a filter. */
  onFilter: (filters: Filters) => void;
}

/** The filters of the record, which are in the page's address. */
export function RecordFilters({ filters, onFilter }: RecordFiltersProps) {
  const { people } = usePeople();
  const persons = people.map(({ id, firstName, lastName }) => ({
    value: id,
    label: `${firstName} ${lastName}`,
  }));
  const selects = [
    { name: 'actor', label: 'Who', placeholder: 'Anyone', options: persons },
    { name: 'action', label: 'Action', placeholder: 'All actions', options: actionOptions },
    { name: 'entity', label: 'What', placeholder: 'Anything', options: entityOptions },
  ];
  return (
    <div className="flex flex-wrap items-center gap-2">
      {selects.map(({ name, label, ...rest }) => (
        <Select
          key={name}
          aria-label={label}
          className="w-[9.5rem]"
          value={filters[name] ?? ''}
          onChange={({ target }) => onFilter({ [name]: target.value })}
          {...rest}
        />
      ))}
      {(['from', 'to'] as const).map((name) => (
        <div key={name} className="w-[9.5rem]">
          <TextInput
            type="date"
            aria-label={name === 'from' ? 'From' : 'To'}
            value={filters[name] ?? ''}
            onChange={({ target }) => onFilter({ [name]: target.value })}
          />
        </div>
      ))}
      {filters['caseId'] && (
        <Button iconAfter={X} onClick={() => onFilter({ caseId: '' })}>
          One matter
        </Button>
      )}
      {filters['address'] && (
        <Button iconAfter={X} onClick={() => onFilter({ address: '' })}>
          {filters['address']}
        </Button>
      )}
    </div>
  );
}
