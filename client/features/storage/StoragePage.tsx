import HardDrive from 'lucide-react/icons/hard-drive';
import Trash2 from 'lucide-react/icons/trash-2';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Storage } from '@matterdesk/contract/storage.ts';
import { AdminsOnly } from '../../core/AdminsOnly.tsx';
import { fullName } from '../../core/full-name.ts';
import { paths } from '../../core/paths.ts';
import { useAppSelector } from '../../core/store.ts';
import { useAttempt } from '../../core/use-attempt.ts';
import { useRead } from '../../core/use-read.ts';
import { counted } from '../../core/words.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { buttonClass, Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { cx } from '../../ui/cx.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { SectionHeading } from '../../ui/SectionHeading.tsx';
import { sizeInWords } from '../../ui/size-in-words.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { StaleNotice } from '../../ui/StaleNotice.tsx';
import { ColumnHeader, Table, TableCell, TableHead, TableRow } from '../../ui/Table.tsx';
import { readStorage, emptyTrash } from './api.ts';

/** Storage by person, and the free space, for admins. */
export function StoragePage() {
  const isAdmin = useAppSelector(({ user }) => user.current?.role === 'admin');
  if (isAdmin) return <StorageReport />;
  return (
    <AdminsOnly icon={HardDrive} page="Storage" title="Storage is for admins">
      An admin of your firm can see who stores how much, and empty the trash.
    </AdminsOnly>
  );
}

function StorageReport() {
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
                    ? 'Deleted files can be restored for 30 days, and count toward storage until then.'
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
            <section className="mt-10">
              <SectionHeading>Conflict checks</SectionHeading>
              <p className="text-pretty text-ink-2">{checksInWords(data.waiting)}</p>
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

const COLORS = { files: 'bg-accent', trash: 'bg-ink-3', free: 'bg-line' };

/** Bar of used and free space, over its figures. */
function RoomBar({ storage }: { storage: Storage }) {
  const parts = partsOf(storage);
  return (
    <>
      <div aria-hidden="true" className="flex h-2 gap-0.5 overflow-hidden rounded-full">
        {parts.map(({ kind, bytes, share }) =>
          bytes > 0 ? (
            <div key={kind} style={{ flexGrow: share }} className={cx('min-w-1', COLORS[kind])} />
          ) : null,
        )}
      </div>
      <dl className="mt-3 flex flex-wrap gap-x-8 gap-y-2">
        {parts.map(({ kind, label, bytes }) => (
          <div key={kind} className="flex items-baseline gap-2">
            <span
              aria-hidden="true"
              className={cx('size-2 self-center rounded-full', COLORS[kind])}
            />
            <dt className="text-ink-2">{label}</dt>
            <dd className="font-medium tabular-nums">{sizeInWords(bytes)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** Removes all deleted files for good, after asking. */
function EmptyTrash({ trash, onEmptied }: { trash: number; onEmptied: () => void }) {
  const [isAsking, setIsAsking] = useState(false);
  const { isBusy, attempt } = useAttempt();
  const handleConfirm = async () => {
    if (await attempt(null, () => emptyTrash())) onEmptied();
    setIsAsking(false);
  };
  return (
    <>
      <Button icon={Trash2} onClick={() => setIsAsking(true)}>
        Empty trash
      </Button>
      <ConfirmDialog
        open={isAsking}
        title="Empty the trash?"
        confirmLabel="Empty trash"
        busy={isBusy}
        onClose={() => setIsAsking(false)}
        onConfirm={() => void handleConfirm()}
      >
        {`All deleted files, ${sizeInWords(trash)}, are removed for good, those of every matter. No one can restore them.`}
      </ConfirmDialog>
    </>
  );
}

const COLUMNS =
  '[--columns:minmax(0,14rem)_6rem_minmax(0,1fr)] max-sm:[--columns:minmax(0,1fr)_6rem]';

/** Storage by person, largest first. */
function PeopleTable({ storage }: { storage: Storage }) {
  return (
    <Table
      aria-label="Storage by person"
      aria-rowcount={storage.people.length + 1}
      className={COLUMNS}
    >
      <TableHead>
        <ColumnHeader>Person</ColumnHeader>
        <ColumnHeader align="end">Used</ColumnHeader>
        <ColumnHeader className="max-sm:hidden">
          <span className="sr-only">Share</span>
        </ColumnHeader>
      </TableHead>
      <div role="rowgroup">
        {storage.people.map(({ person, used }) => (
          <TableRow key={person.id} lines={1}>
            <TableCell className="flex items-center gap-2 font-medium">
              <Avatar name={fullName(person)} />
              <span className="truncate">{fullName(person)}</span>
            </TableCell>
            <TableCell align="end">{sizeInWords(used)}</TableCell>
            <TableCell className="max-sm:hidden">
              <span
                aria-hidden="true"
                style={{ width: `${shareOf(used, storage) * 100}%` }}
                className="block h-1.5 min-w-1 rounded-full bg-accent"
              />
            </TableCell>
          </TableRow>
        ))}
      </div>
    </Table>
  );
}

type Kind = 'files' | 'trash' | 'free';
type Part = { kind: Kind; label: string; bytes: number; share: number };

/** Files, trash and the room that is left, if it is bounded; `share` is of all of them, 0 to 1. */
function partsOf({ used, trash, free }: Storage): Part[] {
  const whole = Math.max(1, used + (free ?? 0));
  const part = (kind: Kind, label: string, bytes: number) => [
    { kind, label, bytes, share: bytes / whole },
  ];
  return [
    ...part('files', 'Files', used - trash),
    ...part('trash', 'Trash', trash),
    ...(free === null ? [] : part('free', 'Room left', free)),
  ];
}

/** '1.2 GB of 5 GB used' with a limit, else '1.2 GB used'. */
function inWords({ used, limit }: Storage): string {
  const of = limit === null ? '' : ` of ${sizeInWords(limit)}`;
  return `${sizeInWords(used)}${of} used`;
}

/** The conflict checks that wait, in a sentence. */
function checksInWords({ cases, names }: Storage['waiting']): string {
  if (cases + names === 0) return 'All new matters and names are checked.';
  const parts = [
    ...(cases > 0 ? [counted(cases, 'new matter')] : []),
    ...(names > 0 ? [counted(names, 'new name')] : []),
  ];
  const verb = cases + names === 1 ? 'waits' : 'wait';
  return `${parts.join(' and ')} ${verb} for a conflict check. Checks take longer while people work.`;
}

/** Bytes that one person stores, as a share of the most, 0 to 1: the longest bar fills its column. */
function shareOf(used: number, { people }: Storage): number {
  return used / Math.max(1, ...people.map((each) => each.used));
}
