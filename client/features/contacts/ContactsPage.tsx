import { SavedViews } from '../views/components/SavedViews.tsx';
import Plus from 'lucide-react/icons/plus';
import ShieldQuestion from 'lucide-react/icons/shield-question-mark';
import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { roleOptions } from '../../core/party-roles.ts';
import { paths } from '../../core/paths.ts';
import { useResource } from '../../core/use-resource.ts';
import { buttonClass } from '../../ui/button-class.ts';
import { Button } from '../../ui/Button.tsx';
import { SearchInput } from '../../ui/SearchInput.tsx';
import { Select } from '../../ui/Select.tsx';
import { useSearchText } from '../../ui/use-search-text.ts';
import { ContactTable } from './components/ContactTable.tsx';
import { useMayWrite } from './hooks/use-may-write.ts';
import { contactList, type Filters } from './slice.ts';
import ContactRound from 'lucide-react/icons/contact-round';
import SearchX from 'lucide-react/icons/search-x';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { countedPage, formatCount } from '../../core/words.ts';
import { ListPage } from '../../core/ListPage.tsx';
import { anyText, LONGEST_SEARCH, searchText, useAddress } from '../../core/use-address.ts';
import { useReach } from '../../core/use-reach.ts';

const load = () => import('./components/ContactDialog.tsx');
const ContactDialog = lazy(async () => ({ default: (await load()).ContactDialog }));

const schema = { kind: anyText, role: anyText, search: searchText };
const VIEW_MEMBERS = Object.keys(schema);
const NO_FILTERS = { kind: '', role: '', search: '' };

/** People and organizations by name: tabs by kind, a role, and a search. */
export function ContactsPage() {
  const { address: filters, change } = useAddress(schema, { isBackUndo: true });
  const list = useResource(contactList, filters, { gather: 150 });
  const { data } = list;
  const [text, setText] = useSearchText(filters.search, (search) => change({ search }));
  const [isAdding, setIsAdding] = useState(false);
  const mayWrite = useMayWrite();
  const navigate = useNavigate();
  const loaded = data?.contacts.length ?? 0;
  const reach = useReach(list, loaded);
  useEffect(() => {
    if (mayWrite) void load().catch(() => undefined);
  }, [mayWrite]);
  const tabs = kinds.map((tab) => ({
    ...tab,
    count:
      data && tab.value === filters.kind ? formatCount(data.total, data.totalIsCapped) : undefined,
  }));
  return (
    <>
      <ListPage
        title="Contacts"
        actions={
          <>
            <SavedViews page="contacts" members={VIEW_MEMBERS} />
            <Link to={paths.conflicts} className={buttonClass()}>
              <ShieldQuestion />
              <span data-label="">Conflict checks</span>
            </Link>
            {mayWrite && (
              <Button variant="primary" icon={Plus} onClick={() => setIsAdding(true)}>
                New contact
              </Button>
            )}
          </>
        }
        summary={data ? countedPage(data, 'contact') : '\u00A0'}
        list={list}
        what="the contacts"
        tabs={{
          label: 'Contact lists',
          tabs,
          value: filters.kind,
          onChange: (kind) => change({ kind }),
          aside: (
            <div className="flex gap-2">
              <Select
                aria-label="Role"
                className="w-40 flex-none"
                placeholder="Any role"
                options={roleOptions}
                value={filters.role}
                onChange={({ target }) => change({ role: target.value })}
              />
              <SearchInput
                placeholder="Search contacts"
                value={text}
                onChange={setText}
                maxLength={LONGEST_SEARCH}
                className="min-w-0 grow sm:w-64"
              />
            </div>
          ),
        }}
        empty={
          data &&
          loaded === 0 && (
            <NoContacts
              filters={filters}
              firstStep={
                mayWrite && <Button onClick={() => setIsAdding(true)}>Add the first contact</Button>
              }
              onClear={() => change(NO_FILTERS)}
            />
          )
        }
      >
        <ContactTable filters={filters} page={data} hasMore={list.cursor !== null} reach={reach} />
      </ListPage>
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

interface NoContactsProps {
  filters: Filters;
  /** The next step, for users with the permission. */
  firstStep: ReactNode;
  onClear: () => void;
}

/** Explains an empty list, and what to do next. */
function NoContacts({ filters: { search, role, kind }, firstStep, onClear }: NoContactsProps) {
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
      action={<Button onClick={onClear}>Clear search</Button>}
    >
      <span className="wrap-anywhere">
        {search === '' ? 'No contacts of this kind and role.' : `No contacts match “${search}”.`}
      </span>
    </EmptyState>
  );
}
