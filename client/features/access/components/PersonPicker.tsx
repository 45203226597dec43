import UserPlus from 'lucide-react/icons/user-plus';
import { useMemo } from 'react';
import type { Person } from '@matterdesk/contract/cases.ts';
import { usePeople } from '../../../core/people.ts';
import { Combobox } from '../../../ui/Combobox.tsx';
import { fullName } from '../rules.ts';

interface PersonPickerProps {
  label: string;
  except: readonly Person[];
  onPick: (person: Person) => void;
}

/** Picks one active person after the other. */
export function PersonPicker({ label, except, onPick }: PersonPickerProps) {
  const { people, status } = usePeople();
  const options = useMemo(() => {
    const taken = new Set(except.map(({ id }) => id));
    return people
      .filter(({ id, active }) => active && !taken.has(id))
      .map((person) => ({ id: person.id, label: fullName(person), note: person.email }));
  }, [people, except]);
  const pick = (id: string | null) => {
    const found = people.find((person) => person.id === id);
    if (found) onPick({ id: found.id, firstName: found.firstName, lastName: found.lastName });
  };
  return (
    <Combobox
      aria-label={label}
      icon={UserPlus}
      placeholder={label}
      value={null}
      options={options}
      loading={status === 'loading'}
      onChange={(option) => pick(option?.id ?? null)}
      className="w-48"
    />
  );
}
