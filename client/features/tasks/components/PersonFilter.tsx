import { usePeople } from '../../../core/people.ts';
import { Select } from '../../../ui/Select.tsx';

/** Whose tasks are shown. */
export function PersonFilter(props: { value: string; onChange: (id: string) => void }) {
  const { people } = usePeople();
  return (
    <Select
      aria-label="Person"
      value={props.value}
      onChange={(event) => props.onChange(event.target.value)}
      className="w-52"
      placeholder="My tasks"
      options={people
        .filter(({ active, id }) => active || id === props.value)
        .map(({ id, firstName, lastName }) => ({ value: id, label: `${firstName} ${lastName}` }))}
    />
  );
}
