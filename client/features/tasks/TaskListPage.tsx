// Tasks across matters.

import ListChecks from 'lucide-react/icons/list-checks';
import Plus from 'lucide-react/icons/plus';
import { type KeyboardEvent, lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { usePeople } from '../../core/people.ts';
import { useAppSelector } from '../../core/store.ts';
import { useResource } from '../../core/use-resource.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { indexForKey, isForOthers } from '../../ui/list-keys.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { SearchInput } from '../../ui/SearchInput.tsx';
import { useSearchText } from '../../ui/use-search-text.ts';
import { CaseDropdown } from '../cases/components/CaseDropdown.tsx';
import { taskList } from './api.ts';
import { PersonFilter } from './components/PersonFilter.tsx';
import { TaskGroup } from './components/TaskGroup.tsx';
import { ViewSwitch } from './components/ViewSwitch.tsx';
import { groups, needsInWords } from './rules.lists.ts';

const TaskDialog = lazy(async () => ({
  default: (await import('./components/TaskDialog.tsx')).TaskDialog,
}));

const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const MINUTE = 60_000;
const FIRST = groups[0]?.most ?? 1;

/** The view `?view=mine` of tasks: of the reader, or of another person. */
export function TaskListPage() {
  const [params, setParams] = useSearchParams();
  const me = useAppSelector(({ user }) => user.current);
  const { people } = usePeople();
  const assignedTo = params.get('person') ?? me?.id ?? '';
  const search = params.get('search') ?? '';
  const change = (name: string, value: string) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        if (value === '') after.delete(name);
        else after.set(name, value);
        return after;
      },
      { replace: true },
    );
  const [text, setText] = useSearchText(search, (wanted) => change('search', wanted));
  const now = useNow();
  const filter = { assignedTo, search, timeZone };
  const { data } = useResource(taskList, { ...filter, due: 'late', limit: FIRST });
  const counts = data?.counts;
  const isNone = counts && Object.values(counts).every((count) => count === 0);
  const [isAdding, setIsAdding] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const canEdit = me?.permissions.editTasks === true;
  const person = people.find(({ id }) => id === assignedTo);
  const isOwn = assignedTo === me?.id;
  return (
    <div className="h-full overflow-y-auto pb-9">
      <PageHeader
        title={isOwn ? 'My tasks' : `Tasks of ${person?.firstName ?? 'a user'}`}
        actions={
          canEdit && (
            <Button variant="primary" icon={Plus} onClick={() => setIsAdding(true)}>
              New Task
            </Button>
          )
        }
      >
        {counts ? needsInWords(counts) : '\u00A0'}
        {counts && counts.late > 0 && (
          <span className="text-red">{` · ${counts.late.toLocaleString('en-US')} late`}</span>
        )}
      </PageHeader>
      <div className="flex flex-wrap items-center gap-2 px-4 pt-4 sm:px-9">
        <ViewSwitch isList />
        <PersonFilter
          value={assignedTo}
          onChange={(id) => change('person', id === me?.id ? '' : id)}
        />
        <SearchInput
          value={text}
          onChange={setText}
          placeholder="Search tasks and matters"
          className="ml-auto w-72 max-sm:w-full"
        />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it handles the keys of its rows */}
      <div
        ref={list}
        className="px-4 sm:px-9"
        onKeyDown={(event) => moveAmongRows(event, list.current)}
      >
        {groups.map((group) => (
          <TaskGroup
            key={`${group.due} ${assignedTo} ${search}`}
            {...group}
            filter={filter}
            now={now}
          />
        ))}
      </div>
      {isNone && (
        <EmptyState
          icon={ListChecks}
          title={search === '' ? 'Nothing to do' : `No tasks match “${search}”.`}
          {...(search !== '' && {
            action: <Button onClick={() => setText('')}>Clear search</Button>,
          })}
        >
          {search === ''
            ? 'Tasks that are assigned appear here, whichever matter they are in.'
            : undefined}
        </EmptyState>
      )}
      {isAdding && (
        <Suspense fallback={null}>
          <TaskDialog
            task={null}
            column="intake"
            matter={null}
            caseField={CaseDropdown}
            onClose={() => setIsAdding(false)}
          />
        </Suspense>
      )}
    </div>
  );
}

function moveAmongRows(event: KeyboardEvent, list: HTMLElement | null) {
  if (!list || isForOthers(event.nativeEvent, list)) return;
  const rows = [...list.querySelectorAll<HTMLElement>('[data-row]')];
  const at = rows.findIndex((row) => row === document.activeElement);
  const next = indexForKey(event.key, at, rows.length);
  if (next === undefined) return;
  event.preventDefault();
  rows[next]?.focus();
}

/** The time, by the minute. */
function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), MINUTE);
    return () => clearInterval(timer);
  }, []);
  return now;
}
