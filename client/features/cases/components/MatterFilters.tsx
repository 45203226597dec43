import { caseSorts, caseTypes, statuses, type CaseSort } from '@matterdesk/contract/cases.ts';
import { fullName } from '../../../core/full-name.ts';
import { usePeople } from '../../../core/people.ts';
import { Select } from '../../../ui/Select.tsx';
import { MINE, type MattersAddress } from '../hooks/use-matters-address.ts';

const SORTS: Record<CaseSort, string> = {
  newest: 'Newest first',
  '-newest': 'Oldest first',
  sol: 'SOL, soonest first',
  '-sol': 'SOL, latest first',
  caseName: 'Name, A to Z',
  '-caseName': 'Name, Z to A',
  daysOpen: 'Days open, fewest first',
  '-daysOpen': 'Days open, most first',
};
const sorts = caseSorts
  .filter((value) => value !== 'newest')
  .map((value) => ({ value, label: SORTS[value] }));

interface MatterFiltersProps {
  /** As in the address, where one's own cases are `me`. */
  address: MattersAddress['address'];
  onChange: MattersAddress['change'];
}

/** The order of the list, and what it is narrowed to. */
export function MatterFilters({ address, onChange }: MatterFiltersProps) {
  const { people } = usePeople();
  const team = people
    .filter(({ active }) => active)
    .map((person) => ({ value: person.id, label: fullName(person) }));
  return (
    <div className="flex gap-2 overflow-x-auto -mx-1 p-1 pt-2 pb-1.5">
      <Select
        aria-label="Sort"
        placeholder={SORTS.newest}
        className="w-44 flex-none"
        options={sorts}
        value={address.sort}
        onChange={({ target }) => onChange({ sort: target.value })}
      />
      <Select
        aria-label="Status"
        placeholder="Any status"
        className="w-32 flex-none"
        options={statuses}
        value={address.status}
        onChange={({ target }) => onChange({ status: target.value })}
      />
      <Select
        aria-label="Type"
        placeholder="Any type"
        className="w-28 flex-none"
        options={caseTypes}
        value={address.type}
        onChange={({ target }) => onChange({ type: target.value })}
      />
      <Select
        aria-label="Assigned to"
        placeholder="Anyone"
        className="w-40 flex-none"
        options={[{ value: MINE, label: 'Mine' }, ...team]}
        value={address.assigned}
        onChange={({ target }) => onChange({ assigned: target.value })}
      />
      <Select
        aria-label="Filed"
        placeholder="Filed or not"
        className="w-44 flex-none"
        options={[{ value: '1', label: 'Missing information' }]}
        value={address.incomplete}
        onChange={({ target }) => onChange({ incomplete: target.value })}
      />
    </div>
  );
}
