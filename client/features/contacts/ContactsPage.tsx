import Plus from 'lucide-react/icons/plus';
import ShieldQuestion from 'lucide-react/icons/shield-question-mark';
import {
  lazy,
  Suspense,
  useCallback,
  useEffect,
  useId,
  useState,
  useMemo,
  type ReactNode,
} from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { roleOptions } from '../../core/party-roles.ts';
import { paths } from '../../core/paths.ts';
import { useAppSelector } from '../../core/store.ts';
import { useResource } from '../../core/use-resource.ts';
import { buttonClass } from '../../ui/button-class.ts';
import { Button } from '../../ui/Button.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { SearchInput } from '../../ui/SearchInput.tsx';
import { Select } from '../../ui/Select.tsx';
import { StaleNotice } from '../../ui/StaleNotice.tsx';
import { TabPanel, Tabs } from '../../ui/Tabs.tsx';
import { useSearchText } from '../../ui/use-search-text.ts';
import { ContactTable } from './components/ContactTable.tsx';
import { useMayWrite } from './hooks/use-may-write.ts';
import { contactList, type Filters } from './slice.ts';
import ContactRound from 'lucide-react/icons/contact-round';
import SearchX from 'lucide-react/icons/search-x';
import type { Failure } from '../../core/entries.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { countedPage, formatCount } from '../../core/words.ts';

const load = () => import('./components/ContactDialog.tsx');
const ContactDialog = lazy(async () => ({ default: (await load()).ContactDialog }));

/** Rows loaded ahead of those in view. */
const AHEAD = 40;

/** People and organizations by name: tabs by kind, a role, and a search. */
export function ContactsPage() {
  const { filters, go } = useContactsAddress();
  const { data, cursor, status, failure, refresh, grow } = useResource(contactList, filters, {
    gather: 150,
  });
  const [text, setText] = useSearchText(filters.search, (search) => go({ search }));
  const [isAdding, setIsAdding] = useState(false);
  const mayWrite = useMayWrite();
  const navigate = useNavigate();
  const panelId = useId();
  const canAsk = useAppSelector(({ user }) => user.token !== null);
  useEffect(() => {
    if (mayWrite) void load().catch(() => undefined);
  }, [mayWrite]);
  const loaded = data?.contacts.length ?? 0;
  const canGrow = canAsk && status === 'idle' && cursor !== null && failure === null;
  const reach = useCallback(
    (index: number) => {
      if (canGrow && index + AHEAD >= loaded) grow();
    },
    [canGrow, loaded, grow],
  );
  const isEmpty = data ? loaded === 0 : failure !== null;
  const tabs = kinds.map((tab) => ({
    ...tab,
    count:
      data && tab.value === filters.kind ? formatCount(data.total, data.totalIsCapped) : undefined,
  }));
  return (
    <>
      <PageHeader
        title="Contacts"
        actions={
          <>
            <Link to={paths.conflicts} className={buttonClass()}>
              <ShieldQuestion />
              Conflict checks
            </Link>
            {mayWrite && (
              <Button variant="primary" icon={Plus} onClick={() => setIsAdding(true)}>
                New Contact
              </Button>
            )}
          </>
        }
      >
        {data ? countedPage(data, 'contact') : '\u00A0'}
      </PageHeader>
      <div
        data-bar
        className="z-20 bg-paper px-4 pt-4 sm:px-9 [@media(min-height:30rem)]:sticky [@media(min-height:30rem)]:top-0"
      >
        <Tabs
          label="Contact lists"
          tabs={tabs}
          value={filters.kind}
          onChange={(kind) => go({ kind })}
          panelId={panelId}
          aside={
            <div className="flex gap-2">
              <Select
                aria-label="Role"
                className="w-40 flex-none"
                placeholder="Any role"
                options={roleOptions}
                value={filters.role}
                onChange={({ target }) => go({ role: target.value })}
              />
              <SearchInput
                placeholder="Search contacts"
                value={text}
                onChange={setText}
                maxLength={200}
                className="min-w-0 grow sm:w-64"
              />
            </div>
          }
        />
        {data && failure && (
          <StaleNotice onRetry={refresh} className="my-2 rounded-card">
            {`This list may be out of date: ${failure.message}`}
          </StaleNotice>
        )}
      </div>
      <TabPanel id={panelId} value={filters.kind} className="px-4 pb-9 sm:px-9">
        {isEmpty ? (
          <ContactsState
            filters={filters}
            failure={data ? null : failure}
            isBusy={status !== 'idle'}
            firstStep={
              mayWrite && <Button onClick={() => setIsAdding(true)}>Add the first contact</Button>
            }
            onRetry={refresh}
            onClear={() => go({ search: '', role: '', kind: '' })}
          />
        ) : (
          <ContactTable filters={filters} page={data} hasMore={cursor !== null} reach={reach} />
        )}
      </TabPanel>
      <Suspense>
        {isAdding && (
          <ContactDialog
            onClose={() => setIsAdding(false)}
            onSaved={({ id }) => void navigate(paths.contact(id))}
          />
        )}
      </Suspense>
    </>
  );
}

const kinds = [
  { value: '', label: 'All' },
  { value: 'person', label: 'People' },
  { value: 'organisation', label: 'Organizations' },
];

/** The shown list, as in the address: `?kind=person&role=witness&search=…`. */
function useContactsAddress() {
  const [params, setParams] = useSearchParams();
  const kind = params.get('kind') ?? '';
  const role = params.get('role') ?? '';
  const search = (params.get('search') ?? '').trim().slice(0, 200);
  const filters = useMemo<Filters>(() => ({ kind, role, search }), [kind, role, search]);
  const go = useCallback(
    (next: Partial<Filters>) => {
      const wanted = Object.entries({ ...filters, ...next }).filter(([, value]) => value !== '');
      // Going back returns to the list before the search, not to each letter.
      const isStillTyping = Boolean(next.search) && filters.search !== '';
      setParams(wanted, { replace: isStillTyping });
    },
    [filters, setParams],
  );
  return { filters, go };
}

interface ContactsStateProps {
  filters: Filters;
  /** Why the list failed to load. */
  failure: Failure | null;
  isBusy: boolean;
  /** The next step, for users with the permission. */
  firstStep: ReactNode;
  onRetry: () => void;
  onClear: () => void;
}

/** Explains an empty list, and what to do next. */
function ContactsState(props: ContactsStateProps) {
  const { filters, failure, firstStep } = props;
  if (failure)
    return (
      <ErrorState
        title="Couldn’t load the contacts"
        detail={failure.message}
        busy={props.isBusy}
        onRetry={props.onRetry}
      />
    );
  const { search, role, kind } = filters;
  if (search === '' && role === '' && kind === '')
    return (
      <EmptyState icon={ContactRound} title="No contacts yet" action={firstStep}>
        The client and the opposing counsel of each matter appear here by themselves.
      </EmptyState>
    );
  return (
    <EmptyState
      icon={SearchX}
      title="No match"
      action={<Button onClick={props.onClear}>Clear search</Button>}
    >
      <span className="wrap-anywhere">
        {search === '' ? 'No contacts of this kind and role.' : `No contacts match “${search}”.`}
      </span>
    </EmptyState>
  );
}
