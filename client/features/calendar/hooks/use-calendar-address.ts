import { useCallback } from 'react';
import { useSearchParams } from 'react-router';
import { isRealDay } from '@matterdesk/contract/time.ts';
import { useAppSelector } from '../../../core/store.ts';
import { useScreen } from '../../../core/use-screen.ts';
import { useToday } from '../../../ui/days.ts';
import { groupNames, type Group } from '../rules.ts';
import { viewNames, type ViewName } from '../rules.views.ts';

/** Kinds that are hidden by default. */
const HIDDEN = 'caseDate';

/** The address's word for everyone: without a person, the reader's own calendar is shown. */
const EVERYONE = 'all';

export type CalendarAddress = ReturnType<typeof useCalendarAddress>;

/** The view that the address names; without one a week. A phone shows the agenda for either, too narrow for seven days. */
export function useView(): ViewName {
  const [params] = useSearchParams();
  const screen = useScreen();
  const named = viewNames.find((name) => name === params.get('view'));
  if (screen === 'phone') return named === undefined || named === 'week' ? 'agenda' : named;
  return named ?? 'week';
}

/** The day and the filters that the address names. */
export function useCalendarAddress() {
  const [params, setParams] = useSearchParams();
  const today = useToday();
  const me = useAppSelector(({ user }) => user.current?.id);
  const named = params.get('date') ?? '';
  const hidden = (params.get('hide') ?? HIDDEN).split(',');
  const change = useCallback(
    (changes: Record<string, string>) =>
      setParams(
        (before) => {
          const after = new URLSearchParams(before);
          for (const [name, value] of Object.entries(changes)) {
            // An empty `hide` shows everything; other empty members say nothing.
            if (value === '' && name !== 'hide') after.delete(name);
            else after.set(name, value);
          }
          return after;
        },
        // A key right after another acts on the day that the first one chose.
        { replace: 'search' in changes, flushSync: true },
      ),
    [setParams],
  );
  const toggle = (group: Group) => {
    const isHidden = hidden.includes(group);
    const after = groupNames.filter((name) => (name === group ? !isHidden : hidden.includes(name)));
    change({ hide: after.join(',') });
  };
  const caseId = params.get('case') ?? '';
  // A matter's calendar is that of all who work on it.
  const people = params.get('people') ?? (caseId === '' ? me : undefined) ?? EVERYONE;
  return {
    today,
    date: isRealDay(named) ? named : today,
    /** The id of the person whose calendar is shown; empty for everyone's. */
    people: people === EVERYONE ? '' : people,
    caseId,
    showPerson: (id: string) => change({ people: id === '' ? EVERYONE : id }),
    search: params.get('search') ?? '',
    /** Whether less is shown than by default. */
    isNarrowed: ['people', 'case', 'search', 'hide'].some((name) => params.has(name)),
    hidden: hidden.join(','),
    isShown: (group: Group) => !hidden.includes(group),
    change,
    toggle,
  };
}
