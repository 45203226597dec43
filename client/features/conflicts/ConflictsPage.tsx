import CircleDashed from 'lucide-react/icons/circle-dashed';
import Plus from 'lucide-react/icons/plus';
import ShieldCheck from 'lucide-react/icons/shield-check';
import ShieldQuestion from 'lucide-react/icons/shield-question-mark';
import ShieldX from 'lucide-react/icons/shield-x';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { type SubmitEvent, useMemo, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { Alert, Check, Decision } from '@matterdesk/contract/conflicts.ts';
import type { Party } from '@matterdesk/contract/contacts.ts';
import type { Intake } from '@matterdesk/contract/intakes.ts';
import { lazyNamed } from '../../core/chunks.ts';
import { fullName } from '../../core/full-name.ts';
import { ListPage } from '../../core/ListPage.tsx';
import { paths } from '../../core/paths.ts';
import { Pending } from '../../core/Pending.tsx';
import { useMay } from '../../core/store.ts';
import { saveToTab, readFromTab } from '../../core/tab-storage.ts';
import { anyText, MAX_SEARCH_LENGTH, searchText, useAddress } from '../../core/use-address.ts';
import { useAttempt } from '../../core/use-attempt.ts';
import { useResource } from '../../core/use-resource.ts';
import { counted, momentInWords } from '../../core/words.ts';
import { Button } from '../../ui/Button.tsx';
import { ClearSearch } from '../../ui/ClearSearch.tsx';
import { useNow } from '../../ui/days.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { openInRow } from '../../ui/focus.ts';
import { SearchInput, useSearchText } from '../../ui/SearchInput.tsx';
import { Select } from '../../ui/Select.tsx';
import { SkeletonRows } from '../../ui/Skeleton.tsx';
import { ColumnHeader, Table, TableCell, TableHead, TableRow } from '../../ui/Table.tsx';
import { TextInput } from '../../ui/TextInput.tsx';
import { useRows } from '../../ui/use-rows.ts';
import { CaseDropdown } from '../cases/components/CaseDropdown.tsx';
import { useMatter } from '../cases/hooks/use-case-options.ts';
import { partiesOf } from '../contacts/slice.ts';
import { intakeOf } from '../intakes/slice.ts';
import { decideAlert } from './api.ts';
import { SeverityMark } from './components/SeverityMark.tsx';
import type { TypedName } from './rules.new.ts';
import { askInWords, decisionNames, isUndecided, outcomeNames, roleOf, stateOf } from './rules.ts';
import { checkList, waitingAlerts } from './slice.ts';

const NewCheckDialog = lazyNamed(() => import('./components/NewCheckDialog.tsx'), 'NewCheckDialog');

const schema = { search: searchText, case: anyText, intake: anyText };
const NO_FILTERS = { search: '', case: '', intake: '' };

/** Conflict checks, newest first; `?case=` or `?intake=` narrows them, and a new one takes its names from there. */
export function ConflictsPage() {
  const { address, change } = useAddress(schema);
  const { search, case: caseId, intake: intakeId } = address;
  const { matter } = useMatter(caseId || null);
  const parties = useResource(partiesOf, caseId || null);
  const subject = useResource(intakeOf, intakeId || null);
  const detail = subject.data;
  // The dialog takes its names when it opens: those that came later would not be checked.
  const isAwaited =
    (caseId !== '' && !parties.data && !parties.failure) ||
    (intakeId !== '' && !detail && !subject.failure);
  const [text, setText] = useSearchText(search, (next) => change({ search: next }));
  const [isAdding, setIsAdding] = useState(false);
  const navigate = useNavigate();
  const list = useResource(checkList, { search, caseId, intakeId });
  const { data } = list;
  const isNarrow = search !== '' || caseId !== '' || intakeId !== '';
  return (
    <>
      <ListPage
        title="Conflict checks"
        actions={
          <Button
            variant="primary"
            icon={Plus}
            busy={isAdding && isAwaited}
            onClick={() => setIsAdding(true)}
          >
            New check
          </Button>
        }
        summary={data ? countInWords(data.total, detail?.intake) : '\u00A0'}
        list={list}
        what="the conflict checks"
        filters={
          <>
            {!isNarrow && <AlertList />}
            {/* Hidden until the alerts above it have loaded, so that nothing shifts. */}
            <div className="mb-3 flex flex-wrap gap-2 peer-data-waiting:hidden">
              <CaseDropdown
                aria-label="Matter"
                placeholder="All matters"
                className="w-64 max-sm:w-full"
                value={matter}
                onChange={(option) => change({ case: option?.id ?? '', intake: '' })}
              />
              <SearchInput
                placeholder="Search names"
                className="w-64 max-sm:w-full"
                maxLength={MAX_SEARCH_LENGTH}
                value={text}
                onChange={setText}
              />
            </div>
          </>
        }
        empty={
          data?.checks.length === 0 && (
            <EmptyState
              icon={ShieldQuestion}
              title={isNarrow ? 'No match' : 'No conflict checks yet'}
              action={
                isNarrow ? (
                  <ClearSearch onClear={() => change(NO_FILTERS)} />
                ) : (
                  <Button onClick={() => setIsAdding(true)}>Run the first check</Button>
                )
              }
            >
              {isNarrow
                ? 'No conflict checks match.'
                : 'A check compares names with everything that the firm knows, and stays as a record.'}
            </EmptyState>
          )
        }
      >
        {data ? <CheckTable checks={data.checks} /> : <SkeletonRows count={5} className="h-11" />}
      </ListPage>
      {isAdding && !isAwaited && (
        <NewCheckDialog
          {...(caseId !== '' && { caseId })}
          {...(intakeId !== '' && { intakeId })}
          names={detail ? ofIntake(detail.intake) : ofParties(parties.data ?? [])}
          onClose={() => setIsAdding(false)}
          onRun={({ id }) => void navigate(paths.conflict(id))}
        />
      )}
    </>
  );
}

function countInWords(total: number, intake: Intake | undefined): string {
  const checks = counted(total, 'check');
  return intake ? `${checks} of intake ${intake.number}, ${intake.name ?? 'erased'}` : checks;
}

function ofParties(parties: readonly Party[]): TypedName[] {
  return parties.map(({ contact, role }) => ({ name: contact.name, role }));
}

function ofIntake({ name, parties }: Intake): TypedName[] {
  const others = (parties ?? []).map((party) => ({ name: party.name, role: party.role }));
  return [...(name === null ? [] : [{ name, role: 'client' as const }]), ...others];
}

const WIDE = 'hidden @min-[44rem]:block';
const ROW_HEIGHT = 60;

/** Checks, each a link to its record. */
function CheckTable({ checks }: { checks: readonly Check[] }) {
  const now = useNow();
  const ids = useMemo(() => checks.map(({ id }) => id), [checks]);
  const { items, active, tabStop, rowsProps } = useRows<HTMLDivElement>({
    list: 'conflicts',
    ids,
    rowHeight: ROW_HEIGHT,
    isPageWide: true,
  });
  return (
    <div className="@container">
      <Table
        aria-label="Conflict checks"
        aria-rowcount={-1}
        className="[--columns:minmax(0,1fr)_9.5rem] @min-[44rem]:[--columns:4.5rem_minmax(0,2fr)_minmax(0,1.2fr)_minmax(0,1.2fr)]"
      >
        <TableHead>
          <ColumnHeader className={WIDE}>Number</ColumnHeader>
          <ColumnHeader>Names</ColumnHeader>
          <ColumnHeader>State</ColumnHeader>
          <ColumnHeader className={WIDE}>Run</ColumnHeader>
        </TableHead>
        <div {...rowsProps} role="rowgroup" className="relative">
          {items.map(({ index, offset }) => {
            const check = checks[index];
            if (!check) return null;
            const { id, number, names, subject, by, at } = check;
            return (
              <TableRow
                key={id}
                data-row={id}
                aria-rowindex={index + 2}
                selected={id === active}
                style={{ transform: `translateY(${offset}px)` }}
                className="absolute! top-0 left-0"
              >
                <TableCell className={`${WIDE} text-ink-2 tabular-nums`}>{number}</TableCell>
                <TableCell>
                  <Link
                    to={paths.conflict(id)}
                    tabIndex={index === tabStop ? 0 : -1}
                    className="row-link block truncate font-medium"
                  >
                    {names.map(({ name }) => name).join(', ')}
                  </Link>
                  <span className="block truncate text-note text-ink-2">
                    {subject?.name ?? 'No matter'}
                  </span>
                </TableCell>
                <TableCell>
                  <State check={check} />
                </TableCell>
                <TableCell className={WIDE}>
                  <span className="block truncate">{by ? fullName(by) : 'Matterdesk'}</span>
                  <span className="block truncate text-note text-ink-2">
                    {momentInWords(at, now)}
                  </span>
                </TableCell>
              </TableRow>
            );
          })}
        </div>
      </Table>
    </div>
  );
}

function State({ check }: { check: Check }) {
  const { tone, Icon, words } = standing(check);
  return (
    <span className={`flex items-center gap-1.5 ${tone}`}>
      <Icon className="shrink-0" />
      <span className="truncate">{words}</span>
    </span>
  );
}

function standing(check: Check) {
  const { concluded, hits } = check;
  if (concluded?.outcome === 'declined')
    return { tone: 'text-red', Icon: ShieldX, words: outcomeNames.declined };
  if (concluded)
    return { tone: 'text-green', Icon: ShieldCheck, words: outcomeNames[concluded.outcome] };
  const open = hits.filter((hit) => isUndecided(check, hit)).length;
  if (open > 0)
    return {
      tone: 'text-amber',
      Icon: TriangleAlert,
      words: `${counted(open, 'hit')} to decide`,
    };
  return { tone: 'text-ink-2', Icon: CircleDashed, words: 'To conclude' };
}

const DirectQuestion = lazyNamed(() => import('./components/DirectQuestion.tsx'), 'DirectQuestion');

/** New names that match others and wait for a decision; nothing without any. */
function AlertList() {
  const { data, failure, status, refresh } = useResource(waitingAlerts, 'waiting');
  const [openId, setOpenId] = useState<string>();
  const mayDecide = useMay('clearConflicts');
  if (!data && failure)
    return (
      <Pending of={{ failure, status, refresh }} what="the names that wait for a decision" isPart />
    );
  if (!data) return <div data-waiting className="peer" />;
  if (data.length === 0) return null;
  return (
    <section aria-label="New names that match others" tabIndex={-1} className="mb-6 outline-none">
      <h2 className="mb-2 text-heading font-semibold">
        New names that match others
        <span className="ml-2 font-normal text-ink-3 tabular-nums">{data.length}</span>
      </h2>
      <ul className="border-t border-line sm:max-h-96 sm:overflow-y-auto">
        {data.map((alert) => (
          <AlertLine
            key={alert.id}
            alert={alert}
            mayDecide={mayDecide}
            isOpen={alert.id === openId}
            onOpen={() => setOpenId(alert.id)}
          />
        ))}
      </ul>
    </section>
  );
}

interface AlertLineProps {
  alert: Alert;
  mayDecide: boolean;
  isOpen: boolean;
  onOpen: () => void;
}

function placeOf({ asked, subject }: Alert): string {
  if (!subject) return 'new';
  if (subject.kind === 'cases') return `new in ${subject.name}`;
  return subject.name === asked.name ? 'a new intake' : `new in the intake of ${subject.name}`;
}

function AlertLine({ alert, mayDecide, isOpen, onOpen }: AlertLineProps) {
  const { asked, hit } = alert;
  const place = `${asked.name}, ${placeOf(alert)}`;
  return (
    <li className="grid gap-x-6 gap-y-2 border-b border-line py-3 sm:grid-cols-[7.25rem_minmax(0,1fr)_auto]">
      <span>
        <SeverityMark severity={hit.severity} />
      </span>
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">{place}</p>
        {hit.severity === 'hidden' ? (
          <p className="text-sm text-ink-2">
            {`Matches a name in a matter you can’t see. ${askInWords(hit.ask)}.`}
          </p>
        ) : (
          <p className="text-sm text-ink-2 wrap-anywhere">
            {`Matches ${hit.found.name}, ${roleOf(hit.found).toLowerCase()}${
              hit.found.case ? ` in ${hit.found.case.caseName}, ${stateOf(hit.found)}` : ''
            }: ${hit.reason}`}
          </p>
        )}
        {mayDecide && isOpen && <AlertForm alert={alert} />}
      </div>
      {mayDecide && !isOpen && (
        <Button
          size="small"
          className="justify-self-start max-sm:col-start-1"
          aria-label={`Decide about ${asked.name}`}
          onClick={(event) => openInRow(event.currentTarget, onOpen)}
        >
          Decide
        </Button>
      )}
    </li>
  );
}

const choices: Decision[] = ['noConflict', 'decline'];

type AlertDraft = { decision: Decision | ''; reason: string };

/** The decision about an alert, kept in the tab until it is saved. */
function useKeptDraft(id: string, start: AlertDraft['decision']) {
  const key = `alert-${id}`;
  const [draft, setDraft] = useState<AlertDraft>(() => ({
    decision: start,
    reason: '',
    ...(readFromTab(key) as Partial<AlertDraft> | null),
  }));
  const change = (changes: Partial<AlertDraft>) => {
    const next = { ...draft, ...changes };
    saveToTab(key, next);
    setDraft(next);
  };
  return { draft, change, forget: () => saveToTab(key, null) };
}

function AlertForm({ alert: { id, hit, asked } }: { alert: Alert }) {
  const isHidden = hit.severity === 'hidden';
  const list = useRef<HTMLElement>(null);
  const [isQuestioned, setIsQuestioned] = useState(false);
  const { draft, change, forget } = useKeptDraft(id, isHidden ? 'asked' : '');
  const { decision, reason } = draft;
  const { isBusy, attempt } = useAttempt();
  const save = () => {
    if (decision === '') return;
    const body = { decision, reason };
    void attempt(body, async () => {
      await decideAlert({ params: { id }, body });
      forget();
      // The form disappears with its alert.
      list.current?.focus();
    });
  };
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    list.current = event.currentTarget.closest('section');
    if (hit.severity === 'direct' && decision === 'noConflict') setIsQuestioned(true);
    else save();
  };
  return (
    <form noValidate onSubmit={handleSubmit} className="mt-2 flex flex-wrap gap-2">
      {!isHidden && (
        <Select
          aria-label="Decision about the alert"
          className="w-40"
          placeholder="Decision"
          options={choices.map((value) => ({ value, label: decisionNames[value] }))}
          value={decision}
          onChange={({ target }) => change({ decision: target.value as Decision | '' })}
        />
      )}
      <TextInput
        aria-label={isHidden ? 'The answer' : 'Reason of the decision'}
        placeholder={isHidden ? 'The answer' : 'Reason'}
        className="max-w-96 min-w-40 flex-1"
        autoComplete="off"
        maxLength={500}
        // An alert is decided once.
        readOnly={isBusy}
        value={reason}
        onChange={({ target }) => change({ reason: target.value })}
      />
      <Button type="submit" busy={isBusy} disabled={decision === '' || reason.trim() === ''}>
        Save
      </Button>
      {isQuestioned && (
        <DirectQuestion
          hit={hit}
          asked={asked.name}
          onClose={() => setIsQuestioned(false)}
          onConfirm={() => {
            setIsQuestioned(false);
            save();
          }}
        />
      )}
    </form>
  );
}
