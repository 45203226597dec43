import { searchWords } from '@matterdesk/contract/search.ts';
import ShieldQuestion from 'lucide-react/icons/shield-question-mark';
import { usePeople } from '../core/people.ts';
import { exactFirst, matchesPerson } from '../features/accounts/rules.ts';
import { useCaseSearch } from '../features/cases/components/use-case-search.ts';
import { useContactSearch } from '../features/contacts/components/use-contact-search.ts';
import { intakeList } from '../features/intakes/api.lists.ts';
import { taskList } from '../features/tasks/api.ts';
import { placesOf } from './navigation.ts';
import { paths } from '../core/paths.ts';
import { useAppSelector } from '../core/store.ts';
import { useResource } from '../core/use-resource.ts';
import {
  exactlyCalledFirst,
  type Find,
  type FindGroup,
  isCalled,
  matchingBeyond,
  toCaseFind,
  toContactFind,
  toIntakeFind,
  toPersonFind,
  toTaskFind,
} from './palette-finds.ts';
import { useCalendarFinds } from './use-calendar-finds.ts';
import { useFileFinds } from './use-file-finds.ts';
import { usePaletteActions } from './use-palette-actions.ts';
import { useViewedFinds } from './use-viewed-finds.ts';

const MOST = 6;
const CASES = { limit: MOST, pause: 120 };

/** A page without a place of its own in the navigation. */
const CHECKS = {
  label: 'Conflict checks',
  also: 'Conflicts of interest',
  icon: ShieldQuestion,
  to: paths.conflicts,
};

/** What the palette shows for the typed text: what was viewed lately and actions for none. */
export function usePaletteFinds(typed: string) {
  const text = typed.trim();
  const words = searchWords(text);
  const viewed = useViewedFinds();
  const places = useAppSelector(placesOf);
  const { groups: found, subjects, isSearching, failure } = useServerFinds(text, words);
  const actions = usePaletteActions(text, subjects);
  const pages = text === '' ? places : [...places, CHECKS];
  const matching = pages.filter((place) => isCalled(place, text));
  const all: FindGroup[] =
    text === ''
      ? [viewed, { title: 'Actions', finds: actions }, { title: 'Pages', finds: matching }]
      : [{ title: 'Pages', finds: matching }, ...found, { title: 'Actions', finds: actions }];
  const groups = exactlyCalledFirst(all, text).filter((group) => group.finds.length > 0);
  const nothing = groups.length === 0 && text !== '' ? `No results for “${text}”` : '';
  const status = text !== '' && isSearching ? 'Searching…' : nothing;
  return { groups, words, status: failure?.message ?? status };
}

/** Searches people locally, and the rest on the server: all but matters and contacts once the text has settled. */
function useServerFinds(text: string, words: readonly string[]) {
  const wanted = text === '' ? null : text;
  const { people } = usePeople();
  const { cases, search, isSearching, failure, ...counted } = useCaseSearch(wanted, CASES);
  const { contacts, ...known } = useContactSearch(wanted);
  const settled = wanted === null || failure || !search ? null : { search, limit: MOST };
  const tasks = useResource(taskList, settled).data;
  const intakes = useResource(intakeList, settled && { ...settled, tab: 'open', owner: '' }).data;
  const dates = useCalendarFinds(settled?.search ?? null, MOST);
  const files = useFileFinds(settled?.search ?? null, MOST);
  const matters = wanted === null || failure ? [] : cases;
  const matching = people.filter((person) => matchesPerson(person, text));
  const found = exactFirst(matching, text);
  const groups: FindGroup[] = [
    { title: 'Files of this case', finds: files },
    { title: 'Matters', ...firstOf(matters, (matter) => toCaseFind(matter, words), counted) },
    { title: 'People', ...firstOf(found, toPersonFind, { total: found.length }) },
    { title: 'Contacts', ...firstOf(contacts, toContactFind, known) },
    { title: 'Tasks', ...firstOf(tasks?.tasks, toTaskFind, tasks) },
    { title: 'Calendar', ...dates },
    { title: 'Intakes', ...firstOf(intakes?.intakes, toIntakeFind, intakes) },
  ];
  return { groups, subjects: { matter: matters[0], contact: contacts[0] }, isSearching, failure };
}

/** The first rows of a kind, and how many there are. */
function firstOf<T>(
  items: readonly T[] | undefined,
  toFind: (item: T) => Find,
  counted: { total: number; totalIsCapped?: boolean | undefined } | null,
): Omit<FindGroup, 'title'> {
  const finds = (items ?? []).slice(0, MOST).map((item) => toFind(item));
  const { total, totalIsCapped } = counted ?? {};
  return { finds, matching: matchingBeyond(finds.length, total, totalIsCapped) };
}
