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
  /** Inactive members of the team, who can stay or be removed. */
  already: readonly Person[];
}

/** Adds active people to the team of a case, and removes them. */
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
