import type { LucideIcon } from 'lucide-react';
import Briefcase from 'lucide-react/icons/briefcase-business';
import CalendarDays from 'lucide-react/icons/calendar-days';
import ContactRound from 'lucide-react/icons/contact-round';
import FileText from 'lucide-react/icons/file-text';
import Flag from 'lucide-react/icons/flag';
import MessageCircle from 'lucide-react/icons/message-circle';
import Monitor from 'lucide-react/icons/monitor';
import Moon from 'lucide-react/icons/moon';
import PenLine from 'lucide-react/icons/pen-line';
import Plus from 'lucide-react/icons/plus';
import ShieldQuestion from 'lucide-react/icons/shield-question-mark';
import SquareKanban from 'lucide-react/icons/square-kanban';
import Sun from 'lucide-react/icons/sun';
import UserRound from 'lucide-react/icons/user-round';
import UserRoundPlus from 'lucide-react/icons/user-round-plus';
import { useState } from 'react';
import { matchPath, useLocation } from 'react-router';
import type { User } from '@matterdesk/contract/accounts.ts';
import type { CalendarItem } from '@matterdesk/contract/calendar.ts';
import { NOT_FILED, type Case } from '@matterdesk/contract/cases.ts';
import { columnTitles } from '@matterdesk/contract/columns.ts';
import type { Contact } from '@matterdesk/contract/contacts.ts';
import type { Intake } from '@matterdesk/contract/intakes.ts';
import { folded } from '@matterdesk/contract/normalization.ts';
import { searchWords } from '@matterdesk/contract/search.ts';
import type { ListedTask } from '@matterdesk/contract/task-lists.ts';
import { toE164 } from '../core/e164.ts';
import { fullName } from '../core/full-name.ts';
import { paths } from '../core/paths.ts';
import { usePeople } from '../core/people.ts';
import { recentlyViewed } from '../core/recently-viewed.ts';
import { keyOf } from '../core/resource.ts';
import { useAppSelector } from '../core/store.ts';
import { useResource } from '../core/use-resource.ts';
import { formatCount } from '../core/words.ts';
import { bestFirst } from '../features/accounts/rules.ts';
import { kindLabels } from '../features/calendar/rules.ts';
import { calendarWindow } from '../features/calendar/slice.ts';
import { useCaseSearch } from '../features/cases/hooks/use-case-options.ts';
import { matchedFields } from '../features/cases/rules.matches.ts';
import { useContactSearch } from '../features/contacts/hooks/use-contact-search.ts';
import { contactOption } from '../features/contacts/rules.ts';
import { overviewOf } from '../features/dashboard/slice.ts';
import { foundFiles } from '../features/files/api.ts';
import { intakeList } from '../features/intakes/slice.ts';
import { numberInWords } from '../features/messages/rules.ts';
import { taskList } from '../features/tasks/api.ts';
import { formatDay, localDay, useToday, addDays } from '../ui/days.ts';
import { placesOf } from './navigation.ts';
import { chooseTheme } from './ThemeButton.tsx';

/** A row of the palette: an address to open, or something to do here. */
export interface PaletteItem {
  label: string;
  note?: string;
  /** At the right end of the row. */
  aside?: string;
  icon: LucideIcon;
  to?: string;
  run?: () => void;
}
export interface PaletteGroup {
  title: string;
  items: PaletteItem[];
  /** Number of matches, if not all are shown. */
  totalInWords?: string | undefined;
  /** Whether they were found for an earlier text. */
  isOld?: boolean;
}

/** Number of matches, unless all are shown. */
export function totalBeyond(shown: number, total = 0, isCapped?: boolean): string | undefined {
  return total > shown ? formatCount(total, isCapped) : undefined;
}

function toBriefItem({
  id,
  caseName,
  caseNo,
}: Pick<Case, 'id' | 'caseName' | 'caseNo'>): PaletteItem {
  return { label: caseName, note: caseNo ?? NOT_FILED, icon: Briefcase, to: paths.caseDetails(id) };
}

/** Names the fields that matched where the name and the number did not. */
function toCaseItem(matter: Case, words: readonly string[]): PaletteItem {
  const note = [matter.caseNo ?? NOT_FILED, ...matchedFields(matter, words)].join(' · ');
  return { ...toBriefItem(matter), note };
}

function toContactItem(contact: Contact, words: readonly string[] = []): PaletteItem {
  const { id, label, note = '' } = contactOption(contact, words);
  return { label, note, icon: ContactRound, to: paths.contact(id) };
}

function toPersonItem(person: User): PaletteItem {
  const { email } = person;
  return { label: fullName(person), note: email, icon: UserRound, to: paths.usersNamed(email) };
}

function toTaskItem({ id, name, case: caseId, caseName, type, endTime }: ListedTask): PaletteItem {
  return {
    label: name,
    note: `${caseName} · ${columnTitles[type]}`,
    aside: `due ${formatDay(localDay(new Date(endTime)), 'list')}`,
    icon: SquareKanban,
    to: paths.cardOf(caseId, id),
  };
}

function toIntakeItem({ id, number, name, description }: Intake): PaletteItem {
  const note = [`No. ${number}`, description?.replaceAll(/\s+/g, ' ')].filter(Boolean).join(' · ');
  return { label: name, note, icon: UserRoundPlus, to: paths.intake(id) };
}

/** Whether each word of a search is part of a name or of the other names of the same thing. */
function isCalled({ label, keywords = '' }: { label: string; keywords?: string }, text: string) {
  const name = folded(`${label} ${keywords}`);
  return searchWords(text).every((word) => name.includes(folded(word)));
}

/** Rows that are called exactly as the text come first, and so do the groups of people that hold one. */
function exactlyCalledFirst(groups: readonly PaletteGroup[], text: string): PaletteGroup[] {
  const isExact = ({ label }: PaletteItem) => folded(label.trim()) === folded(text.trim());
  const ranked = groups.map(({ items, ...group }) => ({
    ...group,
    items: [...items.filter(isExact), ...items.filter((item) => !isExact(item))],
  }));
  const isNamed = ({ title, items }: PaletteGroup) =>
    (title === 'People' || title === 'Contacts') && items.some(isExact);
  return [...ranked.filter(isNamed), ...ranked.filter((group) => !isNamed(group))];
}

const MAX_MATCHES = 6;
const CASES = { limit: MAX_MATCHES, pause: 120 };

/** A page without a place of its own in the navigation. */
const CHECKS = {
  label: 'Conflict checks',
  keywords: 'Conflicts of interest',
  icon: ShieldQuestion,
  to: paths.conflicts,
};

/** Items that match the typed text; recently viewed items and actions while it is empty. */
export function usePaletteItems(typed: string) {
  const text = typed.trim();
  const words = searchWords(text);
  const viewed = useViewedItems();
  const places = useAppSelector(placesOf);
  const { groups: found, subjects, isSearching, failure } = useServerItems(text, words);
  const actions = usePaletteActions(text, subjects);
  const pages = text === '' ? places : [...places, CHECKS];
  const matching = pages.filter((place) => isCalled(place, text));
  const all: PaletteGroup[] =
    text === ''
      ? [viewed, { title: 'Actions', items: actions }, { title: 'Pages', items: matching }]
      : [{ title: 'Pages', items: matching }, ...found, { title: 'Actions', items: actions }];
  const groups = exactlyCalledFirst(all, text).filter((group) => group.items.length > 0);
  const nothing = groups.length === 0 && text !== '' ? `No results for “${text}”` : '';
  const status = text !== '' && isSearching ? 'Searching…' : nothing;
  return {
    groups,
    words,
    status: failure?.message ?? status,
    isSearching: text !== '' && isSearching,
  };
}

/**
 * Recently viewed items, most recent first, then the newest matters. Names come from the store, which drops a matter
 * that the user no longer sees.
 */
function useViewedItems(): { title: string; items: PaletteItem[] } {
  const [viewed] = useState(recentlyViewed);
  const cases = useAppSelector((state) => state.cases.entities);
  const cards = useAppSelector((state) => state.contacts.cards);
  const newest = useAppSelector((state) => overviewOf(state.overview)?.recentCases);
  const items = viewed
    .map(({ kind, id }) => {
      if (kind === 'case') return cases[id] && toBriefItem(cases[id]);
      const card = cards[keyOf(id)]?.data;
      return card && toContactItem(card.contact);
    })
    .filter((item) => item !== undefined && item !== null);
  if (items.length > 0) return { title: 'Viewed lately', items: items.slice(0, MAX_MATCHES) };
  return { title: 'Newest matters', items: (newest ?? []).map(toBriefItem) };
}

/** Searches people locally, and the rest on the server: all but matters and contacts once the text has settled. */
function useServerItems(text: string, words: readonly string[]) {
  const wanted = text === '' ? null : text;
  const { people } = usePeople();
  const { cases, search, isSearching, failure, ...counted } = useCaseSearch(wanted, CASES);
  const { contacts, isSearching: isNaming, ...known } = useContactSearch(wanted);
  const settled = wanted === null || failure || !search ? null : { search, limit: MAX_MATCHES };
  const tasks = useResource(taskList, settled).data;
  const intakes = useResource(intakeList, settled && { ...settled, tab: 'open', owner: '' }).data;
  const dates = useCalendarItems(settled?.search ?? null, MAX_MATCHES);
  const files = useFileItems(settled?.search ?? null, MAX_MATCHES);
  const matters = wanted === null || failure ? [] : cases;
  const named = known.failure ? [] : contacts;
  const found = bestFirst(people, text);
  const isOld = isSearching;
  const groups: PaletteGroup[] = [
    { title: 'Files of this case', items: files, isOld },
    {
      title: 'Matters',
      ...firstOf(matters, (matter) => toCaseItem(matter, words), counted),
      isOld,
    },
    { title: 'People', ...firstOf(found, toPersonItem, { total: found.length }) },
    {
      title: 'Contacts',
      ...firstOf(named, (contact) => toContactItem(contact, words), known),
      isOld: isNaming,
    },
    { title: 'Tasks', ...firstOf(tasks?.tasks, toTaskItem, tasks), isOld },
    { title: 'Calendar', ...dates, isOld },
    { title: 'Intakes', ...firstOf(intakes?.intakes, toIntakeItem, intakes), isOld },
  ];
  // An action names what it acts on, so it waits for the matches of this text.
  const subjects = {
    matter: isSearching ? undefined : matters[0],
    contact: isNaming ? undefined : named[0],
  };
  return { groups, subjects, isSearching: isSearching || isNaming, failure };
}

/** The first rows of a kind, and how many there are. */
function firstOf<T>(
  items: readonly T[] | undefined,
  toItem: (item: T) => PaletteItem,
  counted: { total: number; totalIsCapped?: boolean | undefined } | null,
): Omit<PaletteGroup, 'title'> {
  const shown = (items ?? []).slice(0, MAX_MATCHES).map((item) => toItem(item));
  const { total, totalIsCapped } = counted ?? {};
  return { items: shown, totalInWords: totalBeyond(shown.length, total, totalIsCapped) };
}

const CASE = '/dashboard/caseDetails/:id';

/** Files of the case that is open, by their names and the text of trained ones. @param search null for none */
function useFileItems(search: string | null, most: number): PaletteItem[] {
  const { pathname } = useLocation();
  const caseId = matchPath(CASE, pathname)?.params.id;
  const query = search === null || caseId === undefined ? null : { caseId, search };
  const { data } = useResource(foundFiles, query);
  return (data?.files ?? []).slice(0, most).map(({ folder, name, excerpt }) => ({
    label: name,
    note: excerpt ?? folder,
    icon: FileText,
    to: paths.fileOf(caseId ?? '', folder, name),
  }));
}

/** Days before and after today that are searched. */
const [BACK, AHEAD] = [30, 330];
const KINDS = [...Object.keys(kindLabels), 'deadline'].join(',');

/** Events and deadlines of the last weeks and of the year ahead, the next ones first. @param search null for none */
function useCalendarItems(search: string | null, most: number) {
  const today = useToday();
  const query =
    search === null
      ? null
      : { from: addDays(today, -BACK), to: addDays(today, AHEAD), search, kinds: KINDS };
  const { data } = useResource(calendarWindow, query);
  const items = data?.items ?? [];
  const isAhead = (item: CalendarItem) => dayOf(item) >= today;
  const ordered = [
    ...items.filter(isAhead),
    ...items.filter((item) => !isAhead(item)).toReversed(),
  ];
  const shown = ordered.slice(0, most).map(toDateItem);
  return { items: shown, totalInWords: totalBeyond(shown.length, items.length) };
}

function dayOf({ allDay, start }: CalendarItem): string {
  return allDay ? start : localDay(new Date(start));
}

function toDateItem(item: CalendarItem): PaletteItem {
  const day = dayOf(item);
  const isDeadline = item.type === 'deadline';
  return {
    label: item.title,
    note: [item.case?.caseName, isDeadline ? 'Deadline' : 'Event'].filter(Boolean).join(' · '),
    aside: formatDay(day, 'list'),
    icon: isDeadline ? Flag : CalendarDays,
    to: isDeadline
      ? `${paths.calendar}?view=deadlines&deadline=${item.id}`
      : paths.event(item.id, day),
  };
}

type Action = PaletteItem & { keywords?: string };

const COMPOSE: Action = {
  label: 'Compose',
  keywords: 'New mail Write an email',
  icon: PenLine,
  to: paths.emailTo(''),
};
const TEXT: Action = {
  label: 'Text a client',
  keywords: 'New message SMS',
  icon: MessageCircle,
  to: paths.messages,
};
const NEW_CASE: Action = {
  label: 'New case',
  keywords: 'Add matter',
  icon: Plus,
  to: paths.newCase,
};
const NEW_TASK: Action = { label: 'New task', keywords: 'Add card', icon: Plus, to: paths.newTask };
const THEMES: readonly Action[] = [
  { label: 'Light theme', icon: Sun, run: () => chooseTheme('light') },
  { label: 'Dark theme', icon: Moon, run: () => chooseTheme('dark') },
  { label: 'System theme', keywords: 'Automatic', icon: Monitor, run: () => chooseTheme('system') },
];

type Subjects = {
  matter: { id: string; caseName: string } | undefined;
  contact?: Contact | undefined;
};

/** The user's actions: general ones, and those for the first matter and the first contact that a text found. */
function usePaletteActions(text: string, { matter, contact }: Subjects): PaletteItem[] {
  const may = useAppSelector((state) => state.user.current?.permissions);
  const general: Action[] = [
    ...(may?.createCases ? [NEW_CASE] : []),
    ...(may?.editTasks ? [NEW_TASK] : []),
    COMPOSE,
    TEXT,
  ];
  if (text === '') return general;
  const named = [...general, ...THEMES].filter((action) => isCalled(action, text));
  const inMatter =
    matter && may?.editTasks
      ? [{ label: `New task in ${matter.caseName}`, icon: Plus, to: paths.newTaskIn(matter.id) }]
      : [];
  return [...named, ...inMatter, ...(contact ? actionsWith(contact) : [])];
}

function actionsWith({ name, emails, phoneNumbers }: Contact): PaletteItem[] {
  const number = phoneNumbers.map(toE164).find((one) => one !== undefined);
  const [email] = emails;
  const text = number !== undefined && {
    label: `Text ${name}`,
    aside: numberInWords(number),
    icon: MessageCircle,
    to: paths.messagesWith(number),
  };
  const compose = email !== undefined && {
    label: `Compose to ${name}`,
    aside: email,
    icon: PenLine,
    to: paths.emailTo(email),
  };
  return [text, compose].filter((item) => item !== false);
}
