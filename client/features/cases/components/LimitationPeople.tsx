import type { NewCase } from '@matterdesk/contract/cases.ts';
import { fullName } from '../../../core/full-name.ts';
import { usePeople } from '../../../core/people.ts';
import { formatDay } from '../../../ui/days.ts';
import { Field } from '../../../ui/Field.tsx';
import { Select } from '../../../ui/Select.tsx';

type People = NonNullable<NewCase['limitation']>;

interface LimitationPeopleProps {
  sol: string;
  /** The assigned people in their order: the first owns the date, the next checks it. */
  team: readonly string[];
  readerId: string;
  /** Choices that differ from the team's order. */
  chosen: People;
  /** The server's refusal of the second person. */
  error?: string | undefined;
  onChoose: (people: People) => void;
}

/** Owner of a new matter's statute date, and the second person, who verifies it. */
export function LimitationPeople(props: LimitationPeopleProps) {
  const { sol, team, readerId, chosen, error, onChoose } = props;
  const { people } = usePeople();
  const active = people.filter((person) => person.active);
  const { owner, second } = peopleOf({ team, readerId, chosen });
  const options = active.map((person) => ({ value: person.id, label: fullName(person) }));
  const others = options.filter(({ value }) => value !== owner);
  return (
    <fieldset className="grid gap-x-5 gap-y-4 sm:grid-cols-2">
      <legend className="mb-3 font-semibold">{`Statute of limitations, ${formatDay(sol)}`}</legend>
      <Field label="Owner of the SOL" hint="Acknowledges its warnings">
        <Select
          placeholder="Select any user"
          value={owner}
          options={options}
          onChange={({ target }) => onChoose({ ...chosen, owner: target.value })}
        />
      </Field>
      {active.length === 1 ? (
        <p className="self-center text-ink-2">
          No second person exists in your firm, so the date counts as entered and no one is asked to
          verify it.
        </p>
      ) : (
        <Field
          label="Second person of the SOL"
          hint={second ? 'Enters the date again from the paper' : 'No one verifies the date yet'}
          error={error}
        >
          <Select
            placeholder="No one yet"
            value={second ?? ''}
            options={others}
            onChange={({ target }) => onChoose({ ...chosen, second: target.value || null })}
          />
        </Field>
      )}
    </fieldset>
  );
}

/** The chosen people, else the first of the team and the next. */
export function peopleOf({
  team,
  readerId,
  chosen,
}: Pick<LimitationPeopleProps, 'team' | 'readerId' | 'chosen'>): Required<People> & {
  owner: string;
} {
  const owner = chosen.owner ?? team[0] ?? readerId;
  const next = team.find((id) => id !== owner) ?? null;
  const second = chosen.second === undefined ? next : chosen.second;
  return { owner, second: second === owner ? null : second };
}
