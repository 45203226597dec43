import { type Ref, useMemo } from 'react';
import type { Person } from '@matterdesk/contract/cases.ts';
import { usePeople } from '../../../core/people.ts';
import { MultiSelect } from '../../../ui/MultiSelect.tsx';
import { fullName } from '../rules.ts';

interface TeamSelectProps {
  value: string[];
  onChange: (ids: string[]) => void;
  onBlur?: () => void;
  ref?: Ref<{ focus: () => void }>;
  /** People who can be kept or taken out, though they are no longer active. */
  already: readonly Person[];
}

/** Puts active people into the team of a case, and takes them out. */
export function TeamSelect({ already, ...rest }: TeamSelectProps) {
  const { people, status } = usePeople();
  const options = useMemo(() => {
    const active = people.filter((person) => person.active);
    const ids = new Set(active.map(({ id }) => id));
    return [
      ...active.map((person) => ({ id: person.id, label: fullName(person), note: person.email })),
      ...already
        .filter(({ id }) => !ids.has(id))
        .map((person) => ({ id: person.id, label: fullName(person), note: 'Inactive' })),
    ];
  }, [people, already]);
  return <MultiSelect {...rest} options={options} loading={status === 'loading'} />;
}
