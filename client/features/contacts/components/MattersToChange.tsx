import type { MatterOfContact } from '@matterdesk/contract/contacts.ts';
import { roleNames } from '../../../core/party-roles.ts';
import { Checkbox } from '../../../ui/Checkbox.tsx';

interface MattersToChangeProps {
  matters: readonly MatterOfContact[];
  /** Ids of cases. */
  chosen: readonly string[];
  onChange: (ids: string[]) => void;
}

/** Asks which matters take the change of a contact too; none is ticked. */
export function MattersToChange({ matters, chosen, onChange }: MattersToChangeProps) {
  return (
    <fieldset className="mt-6 rounded-card border border-line px-4 pt-2 pb-3">
      <legend className="px-1 text-sm font-medium">Also change these matters?</legend>
      <p className="mb-2 text-sm text-ink-2">
        Matters keep their own copy. Those you tick take the change where they said the same.
      </p>
      {matters.map(({ case: { id, caseName, caseNo }, role }) => (
        <Checkbox
          key={`${id} ${role}`}
          label={caseName}
          hint={`${caseNo} · ${roleNames[role]}`}
          checked={chosen.includes(id)}
          onChange={({ target }) =>
            onChange(target.checked ? [...chosen, id] : chosen.filter((other) => other !== id))
          }
        />
      ))}
    </fieldset>
  );
}
