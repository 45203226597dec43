// Components of the board: columns, cards, the task dialog.

import { useMemo } from 'react';
import type { RefCallBack } from 'react-hook-form';
import type { Person } from '@matterdesk/contract/cases.ts';
import { usePeople } from '../../../core/people.ts';
import { Combobox } from '../../../ui/Combobox.tsx';
import type { Option } from '../../../ui/option.ts';

interface AssigneeSelectProps {
  ref: RefCallBack;
  value: string;
  onChange: (id: string) => void;
  onBlur: () => void;
  /** Who has the task now: stays a choice, even when deactivated since. */
  now: Person | null;
}

/** Whom a task is assigned to: the active people of the firm. */
export function AssigneeSelect({ ref, value, onChange, onBlur, now }: AssigneeSelectProps) {
  const { people, status, failure } = usePeople();
  const options = useMemo(() => {
    const active = people.filter((person) => person.active).map(personOption);
    const isListed = now === null || active.some(({ id }) => id === now.id);
    return isListed ? active : [...active, personOption(now)];
  }, [people, now]);
  return (
    <Combobox
      ref={ref}
      placeholder="Select any user"
      options={options}
      loading={status === 'loading' && options.length === 0}
      failure={failure && options.length === 0 ? 'Couldn’t load the users' : undefined}
      value={options.find(({ id }) => id === value) ?? null}
      onBlur={onBlur}
      onChange={(option) => onChange(option?.id ?? '')}
    />
  );
}

function personOption({ id, firstName, lastName }: Person): Option {
  return { id, label: `${firstName} ${lastName}` };
}
