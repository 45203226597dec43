import { deadlineKinds } from '@matterdesk/contract/court-rules.ts';
import type { ReactNode } from 'react';
import { usePeople } from '../../../core/people.ts';
import { Select } from '../../../ui/Select.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import type { Filters } from '../slice.ts';

interface DeadlineFiltersProps {
  filters: Filters;
  onChange: (name: keyof Filters, value: string) => void;
  /** The dropdown of matters. */
  children: ReactNode;
}

const kinds = deadlineKinds.map((value) => ({
  value,
  label: value.charAt(0).toUpperCase() + value.slice(1),
}));

/** Whose deadlines, of which matter and kind, and between which days. */
export function DeadlineFilters({ filters, onChange, children }: DeadlineFiltersProps) {
  const { people } = usePeople();
  return (
    <div className="grid grid-cols-2 items-center gap-2 max-sm:w-full sm:flex sm:flex-wrap">
      <Select
        aria-label="Owner"
        className="sm:w-32"
        placeholder="Everyone"
        value={filters.owner}
        onChange={({ target }) => onChange('owner', target.value)}
        options={people.map(({ id, firstName, lastName }) => ({
          value: id,
          label: `${firstName} ${lastName}`,
        }))}
      />
      {children}
      <Select
        aria-label="Kind"
        className="max-sm:col-span-2 sm:w-30"
        placeholder="All kinds"
        value={filters.kind}
        onChange={({ target }) => onChange('kind', target.value)}
        options={kinds}
      />
      <div className="col-span-2 grid grid-cols-2 gap-2 sm:flex">
        {(['from', 'to'] as const).map((name) => (
          <label
            key={name}
            className="flex items-center gap-2 text-sm text-ink-2 max-sm:flex-col max-sm:items-start max-sm:gap-1"
          >
            {name === 'from' ? 'From' : 'To'}
            <span className="w-full sm:w-33">
              <TextInput
                type="date"
                value={filters[name]}
                onChange={({ target }) => onChange(name, target.value)}
              />
            </span>
          </label>
        ))}
      </div>
    </div>
  );
}
