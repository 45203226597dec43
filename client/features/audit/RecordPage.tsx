import FileDown from 'lucide-react/icons/file-down';
import ScrollText from 'lucide-react/icons/scroll-text';
import { useSearchParams } from 'react-router';
import { useResource } from '../../core/use-resource.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { entryList, sealChain } from './api.ts';
import { EntryList } from './components/EntryList.tsx';
import { RecordFilters } from './components/RecordFilters.tsx';
import { useExport } from './components/use-export.ts';
import type { Filters } from './slice.ts';

const MEMBERS = ['actor', 'action', 'entity', 'caseId', 'address', 'from', 'to'];
const MOMENT = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });

const OPENED = Date.now();

/** The audit log, for admins. */
export function RecordPage() {
  const [address, setAddress] = useSearchParams();
  const filters = readFilters(address);
  const { data, cursor, status, failure, refresh, grow } = useResource(entryList, filters);
  const { data: seals } = useResource(sealChain, 'all');
  const { isExporting, exportRecord } = useExport(filters);
  const handleFilter = (wanted: Filters) => {
    // Of the address itself: two choices may follow each other before the page has drawn the first.
    const now = readFilters(new URLSearchParams(location.search));
    const next = Object.entries({ ...now, ...wanted }).filter(([, value]) => value !== '');
    setAddress(Object.fromEntries(next), { replace: true });
  };
  return (
    <>
      <PageHeader
        title="Record"
        actions={
          <Button icon={FileDown} busy={isExporting} onClick={exportRecord}>
            Export CSV
          </Button>
        }
      >
        {data ? (
          sealedInWords(data.sealedUpTo)
        ) : (
          // As wide as the answer, which decides where the button is.
          <span className="invisible">{sealedInWords(OPENED)}</span>
        )}
      </PageHeader>
      <div className="px-4 pt-4 pb-9 sm:px-9">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <RecordFilters filters={filters} onFilter={handleFilter} />
          <p className="text-sm text-ink-3">{data ? countInWords(data) : '\u00A0'}</p>
        </div>
        {seals?.broken && (
          <p role="alert" className="mt-4 border-l-2 border-red py-1 pl-3 text-red">
            The record does not fit its seals from entry{' '}
            {Number(seals.broken.entryId).toLocaleString('en-US')} on. Compare it with a backup.
          </p>
        )}
        {data && data.entries.length > 0 ? (
          <EntryList entries={data.entries} onFilter={handleFilter} />
        ) : data ? (
          <EmptyState
            icon={ScrollText}
            title="No match"
            action={<Button onClick={() => setAddress({})}>Clear filters</Button>}
          >
            No entries match these filters.
          </EmptyState>
        ) : failure ? (
          <ErrorState
            title="Couldn’t load the record"
            detail={failure.message}
            busy={status === 'loading'}
            onRetry={refresh}
          />
        ) : (
          <div className="mt-10 space-y-4">
            {Array.from({ length: 10 }, (_, index) => (
              <Skeleton key={index} className="h-7 w-full" />
            ))}
          </div>
        )}
        {cursor !== null && (
          <Button className="mt-5" busy={status === 'growing'} onClick={grow}>
            Show more
          </Button>
        )}
      </div>
    </>
  );
}

function readFilters(address: URLSearchParams): Filters {
  return Object.fromEntries([...address].filter(([name]) => MEMBERS.includes(name)));
}

function sealedInWords(moment: string | number) {
  return `Sealed up to ${MOMENT.format(new Date(moment))}`;
}

function countInWords({
  total,
  totalIsCapped,
}: {
  total: number;
  totalIsCapped?: true | undefined;
}) {
  const count = total.toLocaleString('en-US');
  return `${count}${totalIsCapped ? ' or more' : ''} ${total === 1 ? 'entry' : 'entries'}`;
}
