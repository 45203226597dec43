import ChevronRight from 'lucide-react/icons/chevron-right';
import CircleX from 'lucide-react/icons/circle-x';
import FileDown from 'lucide-react/icons/file-down';
import ScrollText from 'lucide-react/icons/scroll-text';
import ShieldAlert from 'lucide-react/icons/shield-alert';
import ShieldCheck from 'lucide-react/icons/shield-check';
import X from 'lucide-react/icons/x';
import { useState } from 'react';
import { auditRoutes, type Entry } from '@matterdesk/contract/audit.ts';
import type { Change } from '@matterdesk/contract/cases.ts';
import { download } from '../../api.ts';
import { AdminsOnly } from '../../core/AdminsOnly.tsx';
import { machineInWords } from '../../core/device.ts';
import { useDownload } from '../../core/download.ts';
import { useFilterFold } from '../../core/filter-fold.tsx';
import { fullName, personOption } from '../../core/full-name.ts';
import { ListPage } from '../../core/ListPage.tsx';
import { usePeople } from '../../core/people.ts';
import { useAppSelector } from '../../core/store.ts';
import { anyText, useAddress } from '../../core/use-address.ts';
import { useResource } from '../../core/use-resource.ts';
import { valueInWords } from '../../core/value-in-words.ts';
import { countedPage, formatCount, fullMoment } from '../../core/words.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Button } from '../../ui/Button.tsx';
import { ClearSearch } from '../../ui/ClearSearch.tsx';
import { cx } from '../../ui/cx.ts';
import { formatDay, localDay, useToday } from '../../ui/days.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Select } from '../../ui/Select.tsx';
import { SkeletonRows } from '../../ui/Skeleton.tsx';
import { TextInput } from '../../ui/TextInput.tsx';
import { SavedViews } from '../views/components/SavedViews.tsx';
import {
  actInWords,
  isAlert,
  subjectOf,
  actionOptions,
  entityOptions,
  placeInWords,
} from './rules.ts';
import { type Filters, entryList, sealChain, sealOf } from './slice.ts';

const schema = {
  entity: anyText,
  action: anyText,
  actor: anyText,
  caseId: anyText,
  address: anyText,
  from: anyText,
  to: anyText,
};
const VIEW_MEMBERS = Object.keys(schema);
const NO_FILTERS = Object.fromEntries(VIEW_MEMBERS.map((name) => [name, '']));

const OPENED = Date.now();

/** The audit log, for admins. */
export function RecordPage() {
  const isAdmin = useAppSelector(({ user }) => user.current?.role === 'admin');
  if (isAdmin) return <RecordList />;
  return (
    <AdminsOnly icon={ScrollText} page="Record" title="The record is for admins">
      An admin of your firm can look up who changed what, and when.
    </AdminsOnly>
  );
}

function RecordList() {
  const { address, change } = useAddress(schema);
  const filters = Object.fromEntries(Object.entries(address).filter(([, value]) => value !== ''));
  const list = useResource(entryList, filters);
  const { data } = list;
  const { data: seals } = useResource(sealChain, 'all');
  const { isBusy, save } = useDownload();
  const fold = useFilterFold(Object.keys(filters).length > 0);
  return (
    <ListPage
      title="Record"
      actions={
        <>
          {fold.button}
          <SavedViews page="record" members={VIEW_MEMBERS} />
          <Button
            icon={FileDown}
            busy={isBusy}
            onClick={() => void save('Record exported', () => downloadRecord(filters))}
          >
            Export CSV
          </Button>
        </>
      }
      summary={
        data ? (
          sealedInWords(data.sealedUpTo)
        ) : (
          // As wide as the answer, which decides where the button is.
          <span className="invisible">{sealedInWords(OPENED)}</span>
        )
      }
      list={list}
      what="the record"
      filters={
        <>
          <div className="flex flex-wrap items-center justify-between gap-2">
            {!fold.isHidden && <RecordFilters filters={filters} onFilter={change} />}
            <p className="text-sm text-ink-3">
              {data ? countedPage(data, 'entry', 'entries') : '\u00A0'}
            </p>
          </div>
          {seals?.broken && (
            <p role="alert" className="mt-4 border-l-2 border-red py-1 pl-3 text-red">
              The record does not fit its seals from entry{' '}
              {formatCount(Number(seals.broken.entryId))}
              {seals.broken.of && ` of ${seals.broken.of}`} on. Compare it with a backup.
            </p>
          )}
        </>
      }
      empty={
        data?.entries.length === 0 && (
          <EmptyState
            icon={ScrollText}
            title="No match"
            action={<ClearSearch label="Clear filters" onClear={() => change(NO_FILTERS)} />}
          >
            No entries match these filters.
          </EmptyState>
        )
      }
    >
      {data ? (
        <EntryList entries={data.entries} onFilter={change} />
      ) : (
        <div className="pt-10">
          <SkeletonRows count={10} className="h-7" />
        </div>
      )}
    </ListPage>
  );
}

function sealedInWords(moment: string | number) {
  return `Sealed up to ${fullMoment(moment)}`;
}

function downloadRecord(query: Filters) {
  return download(auditRoutes.exportEntries, { query, failing: 'Couldn’t export the record' });
}

interface EntryListProps {
  entries: readonly Entry[];
  onFilter: (filters: Record<string, string>) => void;
}

/** Entries by the reader's day, newest first. */
function EntryList({ entries, onFilter }: EntryListProps) {
  const today = useToday();
  const days = Map.groupBy(entries, ({ at }) => localDay(new Date(at)));
  return [...days].map(([day, ofDay]) => (
    <section key={day} aria-label={formatDay(day)} className="mt-5">
      <h2 className="flex justify-between border-b border-line pb-2 font-medium">
        {day === today ? `Today, ${formatDay(day, 'long')}` : formatDay(day, 'long')}
        <span className="text-sm font-normal text-ink-3">{ofDay.length}</span>
      </h2>
      <ul>
        {ofDay.map((entry) => (
          <EntryRow key={entry.id} entry={entry} onFilter={onFilter} />
        ))}
      </ul>
    </section>
  ));
}

const TIME = new Intl.DateTimeFormat('en-US', { timeStyle: 'medium' });

interface EntryRowProps {
  entry: Entry;
  onFilter: (filters: Record<string, string>) => void;
}

/** One line per entry, which opens to what changed. */
function EntryRow({ entry, onFilter }: EntryRowProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { name, detail, matter } = subjectOf(entry);
  const who = entry.actor && fullName(entry.actor);
  return (
    <li className="border-b border-line">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className="grid min-h-11 w-full grid-cols-[1.25rem_1fr] items-center gap-x-2 py-2 text-left hover:bg-hover lg:grid-cols-[1.25rem_6.5rem_9.5rem_9rem_1fr] xl:grid-cols-[1.25rem_6.5rem_10.5rem_10rem_1fr_14rem] lg:py-0"
      >
        <ChevronRight className={cx('text-ink-3', isOpen && 'rotate-90')} />
        <span className="text-sm text-ink-2 tabular-nums">{TIME.format(new Date(entry.at))}</span>
        <span className="col-start-2 flex min-w-0 items-center gap-2 lg:col-start-auto">
          {who && <Avatar name={who} />}
          <span className={cx('truncate', !who && 'text-ink-3')}>
            {who ?? (entry.address ? 'No account' : 'Matterdesk')}
          </span>
        </span>
        <span
          className={cx(
            'col-start-2 flex items-center gap-1.5 lg:col-start-auto',
            isAlert(entry) && 'text-red',
          )}
        >
          {isAlert(entry) && <CircleX className="flex-none" />}
          {actInWords(entry)}
        </span>
        <span className="col-start-2 min-w-0 wrap-anywhere lg:col-start-auto lg:truncate">
          {name && (matter ? name : <strong className="font-medium">{name}</strong>)}
          {name && detail && ' · '}
          {detail}
          {matter && (name || detail) && ', '}
          {matter && <strong className="font-medium">{matter}</strong>}
        </span>
        <span className="col-start-2 truncate text-sm text-ink-3 lg:hidden xl:col-start-auto xl:block">
          {placeInWords(entry)}
        </span>
      </button>
      {isOpen && <EntryDetails entry={entry} onFilter={onFilter} />}
    </li>
  );
}

interface RecordFiltersProps {
  filters: Filters;
  /** An empty value removes a filter. */
  onFilter: (filters: Filters) => void;
}

/** The filters of the record, which are in the page's address. */
function RecordFilters({ filters, onFilter }: RecordFiltersProps) {
  const { people } = usePeople();
  const persons = people.map(personOption);
  const selects = [
    { name: 'actor', label: 'Who', placeholder: 'Anyone', options: persons },
    { name: 'action', label: 'Action', placeholder: 'All actions', options: actionOptions },
    { name: 'entity', label: 'What', placeholder: 'Anything', options: entityOptions },
  ];
  return (
    <div data-filters="" className="flex flex-wrap items-center gap-2">
      {selects.map(({ name, label, ...rest }) => (
        <Select
          key={name}
          aria-label={label}
          className="w-[9.5rem]"
          value={filters[name] ?? ''}
          onChange={({ target }) => onFilter({ [name]: target.value })}
          {...rest}
        />
      ))}
      {(['from', 'to'] as const).map((name) => (
        <div key={name} className="w-[9.5rem]">
          <TextInput
            type="date"
            aria-label={name === 'from' ? 'From' : 'To'}
            value={filters[name] ?? ''}
            onChange={({ target }) => onFilter({ [name]: target.value })}
          />
        </div>
      ))}
      {filters['caseId'] && (
        <Button iconAfter={X} onClick={() => onFilter({ caseId: '' })}>
          One matter
        </Button>
      )}
      {filters['address'] && (
        <Button iconAfter={X} onClick={() => onFilter({ address: '' })}>
          {machineInWords(filters['address'])}
        </Button>
      )}
    </div>
  );
}

interface EntryDetailsProps {
  entry: Entry;
  onFilter: (filters: Record<string, string>) => void;
}

/** Changes that an entry made, and its place in the record. */
function EntryDetails({ entry, onFilter }: EntryDetailsProps) {
  const { address, caseId } = entry;
  return (
    <div className="mb-2.5 grid gap-6 rounded-lg border border-line bg-surface p-4 lg:ml-7 lg:grid-cols-[1fr_20rem]">
      <FieldChanges changes={entry.changes} />
      <dl className="grid grid-cols-[5rem_1fr] content-start gap-y-1.5 text-sm">
        <dt className="text-ink-2">Entry</dt>
        <dd className="tabular-nums">{formatCount(Number(entry.id))}</dd>
        <dt className="text-ink-2">Request</dt>
        <dd className="wrap-anywhere">{entry.requestId ?? 'None'}</dd>
        <dt className="text-ink-2">From</dt>
        <dd className="wrap-anywhere">{machineInWords(address) || 'This server'}</dd>
        <dt className="text-ink-2">Seal</dt>
        <dd>
          <SealText id={entry.id} />
        </dd>
        <dd className="col-span-2 mt-1.5 flex flex-wrap gap-2">
          {caseId !== null && (
            <Button size="small" onClick={() => onFilter({ caseId })}>
              Only this matter
            </Button>
          )}
          {address !== null && (
            <Button size="small" onClick={() => onFilter({ address })}>
              Only this address
            </Button>
          )}
        </dd>
      </dl>
    </div>
  );
}

function SealText({ id }: { id: string }) {
  const { data, failure } = useResource(sealOf, id);
  if (failure) return <span className="text-ink-3">Couldn’t check the seal</span>;
  if (!data) return <span className="text-ink-3">Checking</span>;
  if (data.seal === null) return <span className="text-ink-3">Within a minute</span>;
  const Icon = data.matches ? ShieldCheck : ShieldAlert;
  return (
    <span className={data.matches ? 'text-green' : 'text-red'}>
      <Icon className="mr-1.5 inline" />
      {data.seal.slice(0, 8)}, {data.matches ? 'matches' : 'does not match'}
    </span>
  );
}

/** Changed fields with their values before and after. */
function FieldChanges({ changes }: { changes: readonly Change[] }) {
  return (
    <dl className="min-w-0">
      {changes.map(({ field, label, kind, from, to }) => (
        <div
          key={field}
          className="grid grid-cols-2 gap-x-4 border-b border-line py-1.5 text-sm last:border-0 lg:grid-cols-[10rem_1fr_1fr]"
        >
          <dt className="col-span-2 text-ink-2 lg:col-span-1">{label}</dt>
          {from === null ? (
            <dd className="col-span-2 text-ink-3">Confidential</dd>
          ) : (
            <>
              <dd className="wrap-anywhere text-ink-3">
                {from === '' ? (
                  <span aria-label="Empty">–</span>
                ) : (
                  <del>{valueInWords(kind, from)}</del>
                )}
              </dd>
              <dd className="wrap-anywhere">
                {to ? valueInWords(kind, to) : <span aria-label="Empty">–</span>}
              </dd>
            </>
          )}
        </div>
      ))}
    </dl>
  );
}
