import EyeOff from 'lucide-react/icons/eye-off';
import type { ReactNode } from 'react';
import { usePeople } from '../../../core/people.ts';
import { cx } from '../../../ui/cx.ts';
import { SearchInput } from '../../../ui/SearchInput.tsx';
import { Select } from '../../../ui/Select.tsx';
import { useSearchText } from '../../../ui/use-search-text.ts';
import { groupNames, groups } from '../rules.ts';
import { icons } from '../rules.icons.ts';
import type { CalendarAddress } from '../hooks/use-calendar-address.ts';

interface CalendarFiltersProps {
  address: CalendarAddress;
  /** The dropdown of matters. */
  children: ReactNode;
}

/** Whose time, which matter and which kinds are shown; the kinds are the legend as well. */
export function CalendarFilters({ address, children }: CalendarFiltersProps) {
  const { people } = usePeople();
  const [text, setText] = useSearchText(address.search, (search) => address.change({ search }));
  const active = people.filter((person) => person.active);
  return (
    <div className="flex flex-wrap items-center gap-2 px-4 pt-4 sm:px-9 print:hidden">
      <Select
        aria-label="Person"
        placeholder="Everyone"
        className="w-36 max-sm:w-full"
        options={active.map(({ id, firstName, lastName }) => ({
          value: id,
          label: `${firstName} ${lastName}`,
        }))}
        value={address.people}
        onChange={(event) => address.showPerson(event.target.value)}
      />
      {children}
      {groupNames.map((group) => {
        const isShown = address.isShown(group);
        const Icon = isShown ? icons[group] : EyeOff;
        return (
          <button
            key={group}
            type="button"
            aria-pressed={isShown}
            onClick={() => address.toggle(group)}
            className={cx(
              'inline-flex h-7 items-center gap-1.5 rounded-small border px-2.5 text-sm pointer-coarse:min-h-11',
              isShown
                ? 'border-line bg-surface text-ink-2'
                : 'border-dashed border-line-strong text-ink-3',
            )}
          >
            <Icon className="size-3.5" />
            {groups[group].label}
          </button>
        );
      })}
      <SearchInput
        placeholder="Search"
        value={text}
        onChange={setText}
        className="w-36 max-sm:w-full sm:ml-auto"
      />
    </div>
  );
}
