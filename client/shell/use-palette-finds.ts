import type { User } from '@matterdesk/contract/accounts.ts';
import type { Case } from '@matterdesk/contract/cases.ts';
import type { Contact } from '@matterdesk/contract/contacts.ts';
import { searchWords } from '@matterdesk/contract/search.ts';
import type { LucideIcon } from 'lucide-react';
import Briefcase from 'lucide-react/icons/briefcase-business';
import ContactRound from 'lucide-react/icons/contact-round';
import ShieldQuestion from 'lucide-react/icons/shield-question-mark';
import UserRound from 'lucide-react/icons/user-round';
import { usePeople } from '../core/people.ts';
import { exactFirst, matchesPerson } from '../features/accounts/rules.ts';
import { useCaseSearch } from '../features/cases/components/use-case-search.ts';
import { useContactSearch } from '../features/contacts/components/use-contact-search.ts';
import { contactOption } from '../features/contacts/rules.ts';
import { overviewOf } from '../features/dashboard/slice.ts';
import { placesOf } from './navigation.ts';
import { paths } from '../core/paths.ts';
import { useAppSelector } from '../core/store.ts';

export interface Find {
  label: string;
  note?: string;
  icon: LucideIcon;
  to: string;
}
export interface FindGroup {
  title: string;
  finds: Find[];
}

const MOST = 6;
const CASES = { limit: MOST, pause: 120 };

/** A page without a place of its own in the navigation. */
const CHECKS = {
  label: 'Conflict checks',
  also: 'Conflicts of interest',
  icon: ShieldQuestion,
  to: paths.conflicts,
};

type BriefCase = Pick<Case, 'id' | 'caseName' | 'caseNo'>;

/** Searches pages and people locally, and cases and contacts on the server. */
export function usePaletteFinds(typed: string): { groups: FindGroup[]; status: string } {
  const text = typed.trim();
  const { people } = usePeople();
  const places = useAppSelector(placesOf);
  const recent = useAppSelector((state) => overviewOf(state.overview)?.recentCases);
  const { cases: found, isSearching, failure } = useCaseSearch(text === '' ? null : text, CASES);
  const cases: readonly BriefCase[] = text === '' ? (recent ?? []) : failure ? [] : found;
  const { contacts } = useContactSearch(text === '' ? null : text);
  const pages = text === '' ? places : [...places, CHECKS];
  const groups = [
    { title: 'Pages', finds: pages.filter((place) => isCalled(place, text)) },
    { title: text === '' ? 'Recently opened' : 'Cases', finds: cases.map(toCaseFind) },
    { title: 'People', finds: text === '' ? [] : findPeople(people, text) },
    { title: 'Contacts', finds: text === '' ? [] : contacts.slice(0, MOST).map(toContactFind) },
  ].filter((group) => group.finds.length > 0);
  const nothing = groups.length === 0 && text !== '' ? `Nothing found for “${text}”` : '';
  const status = text !== '' && isSearching ? 'Searching…' : nothing;
  return { groups, status: failure?.message ?? status };
}

function isCalled({ label, also = '' }: { label: string; also?: string }, text: string) {
  const name = `${label} ${also}`.toLocaleLowerCase();
  return searchWords(text).every((word) => name.includes(word.toLocaleLowerCase()));
}

function toContactFind(contact: Contact): Find {
  const { id, label, note = '' } = contactOption(contact);
  return { label, note, icon: ContactRound, to: paths.contact(id) };
}

function toCaseFind({ id, caseName, caseNo }: BriefCase): Find {
  return { label: caseName, note: caseNo, icon: Briefcase, to: paths.caseDetails(id) };
}

function findPeople(people: readonly User[], text: string): Find[] {
  return exactFirst(
    people.filter((person) => matchesPerson(person, text)),
    text,
  )
    .slice(0, MOST)
    .map(({ firstName, lastName, email }) => ({
      label: `${firstName} ${lastName}`,
      note: email,
      icon: UserRound,
      to: paths.usersNamed(email),
    }));
}
