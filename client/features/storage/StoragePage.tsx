import HardDrive from 'lucide-react/icons/hard-drive';
import { Link } from 'react-router';
import { paths } from '../../core/paths.ts';
import { useRead } from '../../core/use-read.ts';
import { buttonClass } from '../../ui/button-class.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { SectionHeading } from '../../ui/SectionHeading.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { StaleNotice } from '../../ui/StaleNotice.tsx';
import { readStorage } from './api.ts';
import { EmptyTrash } from './components/EmptyTrash.tsx';
import { PeopleTable } from './components/PeopleTable.tsx';
import { RoomBar } from './components/RoomBar.tsx';
import { inWords } from './rules.ts';

/** What is stored, by whom, and the room left, for admins. */
export function StoragePage() {
  const { data, isFailed, refresh } = useRead(readStorage);
  return (
    <>
      <PageHeader title="Storage">{data ? inWords(data) : '\u00A0'}</PageHeader>
      <div className="max-w-3xl px-4 pt-6 pb-9 sm:px-9">
        {isFailed && data && (
          <div className="mb-6">
            <StaleNotice onRetry={refresh}>These figures may be out of date.</StaleNotice>
          </div>
        )}
        {data ? (
          <>
            <RoomBar storage={data} />
            <section className="mt-10">
              <SectionHeading>Trash</SectionHeading>
              <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
                <p className="text-pretty text-ink-2">
                  {data.trash > 0
                    ? 'Deleted files can be restored for 30 days, and use room until then.'
                    : 'The trash is empty.'}
                </p>
                {data.trash > 0 && <EmptyTrash trash={data.trash} onEmptied={refresh} />}
              </div>
            </section>
            <section className="mt-10">
              <SectionHeading>People</SectionHeading>
              {data.people.length > 0 ? (
                <PeopleTable storage={data} />
              ) : (
                <EmptyState
                  icon={HardDrive}
                  title="Nothing stored yet"
                  action={
                    <Link to={paths.matters} className={buttonClass({})}>
                      Open matters
                    </Link>
                  }
                >
                  Files are uploaded on the page of their matter.
                </EmptyState>
              )}
            </section>
          </>
        ) : isFailed ? (
          <ErrorState title="Couldn’t load the storage" onRetry={refresh} />
        ) : (
          <Loading />
        )}
      </div>
    </>
  );
}

function Loading() {
  return (
    <>
      <Skeleton className="h-2 w-full rounded-full" />
      <Skeleton className="mt-3 h-5 w-72" />
      <Skeleton className="mt-10 h-6 w-24" />
      <Skeleton className="mt-3 h-9 w-full" />
      <Skeleton className="mt-10 h-6 w-24" />
      {Array.from({ length: 5 }, (_, index) => (
        <Skeleton key={index} className="mt-4 h-7 w-full" />
      ))}
    </>
  );
}
