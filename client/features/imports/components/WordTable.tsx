import ChevronRight from 'lucide-react/icons/chevron-right';
import { useId, useState } from 'react';
import { caseTypes, statuses, statusTypes } from '@matterdesk/contract/cases.ts';
import type { Import } from '@matterdesk/contract/imports.ts';
import { fullName } from '../../../core/full-name.ts';
import { usePeople } from '../../../core/people.ts';
import { formatCount } from '../../../core/words.ts';
import { Button } from '../../../ui/Button.tsx';
import { Select } from '../../../ui/Select.tsx';
import { type Table, wordsOf } from '../rules.columns.ts';
import { systemOf } from '../rules.ts';

interface WordTableProps {
  of: Import;
  table: Table;
  onChoose: (table: Table, word: string, ours: string | null) => void;
}

const titles: Record<Table, string> = { type: 'Types', status: 'Statuses', people: 'People' };
const placeholders: Record<Table, string> = {
  type: 'Choose a type',
  status: 'None of these',
  people: 'Has left',
};

/** Words that are shown at once: each has a choice of everyone. */
const PAGE = 60;

/** Words of the other system, each with ours. */
export function WordTable({ of, table, onChoose }: WordTableProps) {
  const id = useId();
  const options = useOptions(table);
  const [limit, setLimit] = useState(PAGE);
  const words = wordsOf(of, table);
  const rest = words.length - limit;
  if (words.length === 0) return null;
  const system = systemOf(of);
  return (
    <section id={`words-${table}`} aria-labelledby={id}>
      <h2 id={id} className="text-heading font-semibold">
        {titles[table]}
      </h2>
      <p className="mt-0.5 text-sm text-pretty text-ink-2">{explained(table, system)}</p>
      <ul className="move-in-words mt-2 divide-y divide-line">
        {words.slice(0, limit).map((word) => {
          const ours = of.tables[table][word] ?? null;
          const isOpen = table === 'type' && ours === null;
          return (
            <li key={word} className="py-1.5">
              <span className="wrap-anywhere">{word}</span>
              <ChevronRight className="text-ink-3" />
              <Select
                aria-label={`${word} becomes`}
                aria-invalid={isOpen || undefined}
                placeholder={placeholders[table]}
                options={options}
                value={ours ?? ''}
                onChange={({ target }) => onChoose(table, word, target.value || null)}
              />
              {isOpen && <span className="text-sm text-red">Not chosen yet</span>}
            </li>
          );
        })}
      </ul>
      {rest > 0 && (
        <Button size="small" className="mt-2" onClick={() => setLimit(limit + PAGE)}>
          {`Show ${formatCount(Math.min(PAGE, rest))} more of ${formatCount(words.length)}`}
        </Button>
      )}
    </section>
  );
}

function explained(table: Table, system: string): string {
  if (table === 'type')
    return `Compare each word of ${system} with the type that it becomes. Matters without a type are refused.`;
  if (table === 'status')
    return 'Active and Archive open or close the matter alone. Without a choice it is active and pre-list.';
  return `Names in ${system}. Those who have left become inactive users who can’t sign in, so that their names stay.`;
}

function useOptions(table: Table) {
  const { people } = usePeople();
  if (table === 'type') return caseTypes;
  if (table === 'status') return [...statusTypes, ...statuses];
  const sorted = people.toSorted((a, b) => Number(b.active) - Number(a.active));
  return sorted.map((person) => ({
    value: person.id,
    label: person.active ? fullName(person) : `${fullName(person)} (inactive)`,
  }));
}
