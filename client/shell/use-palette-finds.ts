import type { User } from '@matterdesk/contract/accounts.ts';
import { caseRoutes, type Case } from '@matterdesk/contract/cases.ts';
import type { LucideIcon } from 'lucide-react';
import Briefcase from 'lucide-react/icons/briefcase-business';
import UserRound from 'lucide-react/icons/user-round';
import { useEffect, useState } from 'react';
import { call, CallError } from '../api.ts';
import { matchesPerson } from '../features/accounts/rules.ts';
import { places } from './navigation.ts';
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
const PAUSE = 120;

type BriefCase = Pick<Case, 'id' | 'caseName' | 'caseNo'>;
type Answer = { text: string; cases: BriefCase[]; failure?: string };

/** Pages and people out of what is here, cases by the server's search. */
export function usePaletteFinds(typed: string): { groups: FindGroup[]; status: string } {
  const text = typed.trim();
  const people = useAppSelector((state) => state.user.people);
  const recent = useAppSelector((state) => state.overview.overview?.recentCases);
  const answer = useFoundCases(text);
  const isSearching = text !== '' && answer.text !== text;
  const cases = text === '' ? (recent ?? []) : answer.cases;
  const groups = [
    { title: 'Pages', finds: places.filter((place) => isCalled(place, text)) },
    { title: text === '' ? 'Recently opened' : 'Cases', finds: cases.map(toCaseFind) },
    { title: 'People', finds: text === '' ? [] : findPeople(people, text) },
  ].filter((group) => group.finds.length > 0);
  const nothing = groups.length === 0 && text !== '' ? `Nothing found for “${text}”` : '';
  const failure = answer.text === text ? answer.failure : undefined;
  return { groups, status: failure ?? (isSearching ? 'Searching…' : nothing) };
}

/** The answer to the last text stays until the next one is there. */
function useFoundCases(text: string): Answer {
  const [answer, setAnswer] = useState<Answer>({ text: '', cases: [] });
  useEffect(() => {
    const controller = new AbortController();
    const search = () =>
      call(caseRoutes.listCases, {
        query: { search: text, limit: MOST },
        signal: controller.signal,
        toasts: 'none',
        failing: 'Couldn’t search the cases',
      }).then(
        ({ cases }) => setAnswer({ text, cases }),
        (error: unknown) => {
          if (error instanceof CallError) setAnswer({ text, cases: [], failure: error.message });
        },
      );
    const timer = text === '' ? undefined : setTimeout(() => void search(), PAUSE);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text]);
  return answer;
}

function isCalled({ label, also = '' }: { label: string; also?: string }, text: string) {
  return `${label} ${also}`.toLocaleLowerCase().includes(text.toLocaleLowerCase());
}

function toCaseFind({ id, caseName, caseNo }: BriefCase): Find {
  return { label: caseName, note: caseNo, icon: Briefcase, to: paths.caseDetails(id) };
}

function findPeople(people: readonly User[], text: string): Find[] {
  return people
    .filter((person) => matchesPerson(person, text))
    .slice(0, MOST)
    .map(({ firstName, lastName, email }) => ({
      label: `${firstName} ${lastName}`,
      note: email,
      icon: UserRound,
      to: paths.usersNamed(email),
    }));
}
