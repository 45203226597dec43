import LayoutList from 'lucide-react/icons/layout-list';
import SquareKanban from 'lucide-react/icons/square-kanban';
import { usePeople } from '../../../core/people.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { SearchInput } from '../../../ui/SearchInput.tsx';
import { Select } from '../../../ui/Select.tsx';
import { useSearchText } from '../../../ui/use-search-text.ts';
import type { useIntakesAddress } from './use-intakes-address.ts';

/** Search, owner, and board or list. */
export function IntakeTools(address: ReturnType<typeof useIntakesAddress>) {
  const { tab, owner, search, isList, change } = address;
  const [text, setText] = useSearchText(search, (wanted) => change({ search: wanted }));
  const { people } = usePeople();
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchInput value={text} onChange={setText} maxLength={200} className="w-40 max-sm:w-full" />
      <Select
        aria-label="Owner"
        className="w-36"
        placeholder="Everyone"
        value={owner}
        onChange={({ target }) => change({ owner: target.value })}
        options={people.map(({ id, firstName, lastName }) => ({
          value: id,
          label: `${firstName} ${lastName}`,
        }))}
      />
      {tab === 'open' && (
        <span className="flex">
          <IconButton
            label="Board"
            icon={SquareKanban}
            aria-pressed={!isList}
            className="rounded-r-none aria-pressed:bg-accent-soft aria-pressed:text-accent-ink"
            onClick={() => change({ view: null })}
          />
          <IconButton
            label="List"
            icon={LayoutList}
            aria-pressed={isList}
            className="-ml-px rounded-l-none aria-pressed:bg-accent-soft aria-pressed:text-accent-ink"
            onClick={() => change({ view: 'list' })}
          />
        </span>
      )}
    </div>
  );
}
