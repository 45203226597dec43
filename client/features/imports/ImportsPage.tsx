import '../../core/move-in.css';
import FolderInput from 'lucide-react/icons/folder-input';
import Plus from 'lucide-react/icons/plus';
import { useCallback } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import type { Import } from '@matterdesk/contract/imports.ts';
import { fullName } from '../../core/full-name.ts';
import { ListPage } from '../../core/ListPage.tsx';
import { useAppDispatch, useAppSelector } from '../../core/store.ts';
import { useResource } from '../../core/use-resource.ts';
import { whenInList } from '../../core/words.ts';
import { buttonClass } from '../../ui/button-class.ts';
import { ColumnHeader } from '../../ui/ColumnHeader.tsx';
import { cx } from '../../ui/cx.ts';
import { useToday } from '../../ui/days.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { SkeletonRows } from '../../ui/SkeletonRows.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { Table } from '../../ui/Table.tsx';
import { TableCell } from '../../ui/TableCell.tsx';
import { TableHead } from '../../ui/TableHead.tsx';
import { TableRow } from '../../ui/TableRow.tsx';
import { ImportPage } from './ImportPage.tsx';
import { AdminsOnly } from './components/AdminsOnly.tsx';
import { NewImport } from './components/NewImport.tsx';
import { Trail } from './components/Trail.tsx';
import { usePolling } from './hooks/use-import.ts';
import {
  filesInWords,
  nameOf,
  outcomeInWords,
  settled,
  stateInWords,
  addressOf,
  NEW_IMPORT,
} from './rules.ts';
import { importList } from './api.ts';
import { ALL } from './slice.ts';

/** Imports from other systems, the start of a new one, and each of them below their address. */
export function ImportsPage() {
  const { id } = useParams();
  const [params] = useSearchParams();
  const isAdmin = useAppSelector(({ user }) => user.current?.role === 'admin');
  if (!isAdmin) return <AdminsOnly />;
  if (id !== undefined) return <ImportPage key={id} id={id} />;
  return params.has('new') ? <NewImport /> : <ImportList />;
}

/** Milliseconds between two reads of the list: while something runs, and while another admin may start it. */
const RUNNING = 2000;
const RESTING = 15_000;

function ImportList() {
  const dispatch = useAppDispatch();
  const list = useResource(importList, ALL);
  const { data } = list;
  const isRunning = data?.some(({ state }) => state === 'running') === true;
  const load = useCallback(() => void dispatch(importList.load(ALL)), [dispatch]);
  usePolling(isRunning ? RUNNING : RESTING, load);
  const start = (
    <Link to={NEW_IMPORT} className={buttonClass({ variant: 'primary' })}>
      <Plus />
      New import
    </Link>
  );
  return (
    <ListPage
      title="Move in"
      trail={<Trail />}
      actions={data?.length === 0 ? undefined : start}
      summary="Bring matters, contacts and documents from another system. Each import can be checked first, and undone."
      list={list}
      what="the imports"
      empty={
        data?.length === 0 && (
          <EmptyState icon={FolderInput} title="Nothing moved in yet" action={start}>
            Export your records from the system that you leave, and drop its files here. A check
            shows what would come in before anything is saved.
          </EmptyState>
        )
      }
    >
      {data ? (
        <Rows imports={data} />
      ) : (
        <div className="pt-10">
          <SkeletonRows count={5} className="h-11" />
        </div>
      )}
    </ListPage>
  );
}

function Rows({ imports }: { imports: readonly Import[] }) {
  const today = useToday();
  return (
    <Table aria-label="Imports" aria-rowcount={imports.length + 1} className="move-in-list">
      <TableHead>
        <ColumnHeader>From</ColumnHeader>
        <ColumnHeader>State</ColumnHeader>
        <ColumnHeader align="end" className="max-sm:hidden">
          Started
        </ColumnHeader>
      </TableHead>
      <div role="rowgroup">
        {imports.map(settled).map((one) => (
          <TableRow key={one.id}>
            <TableCell>
              <Link to={addressOf(one.id)} className="row-link font-medium">
                {nameOf(one)}
              </Link>
              <span className="block truncate text-note text-ink-3">{filesInWords(one)}</span>
            </TableCell>
            <TableCell>
              <span className={cx('flex items-center gap-2 font-medium', TONES[one.state])}>
                {one.state === 'running' && <Spinner />}
                <span className="truncate">{stateInWords(one)}</span>
              </span>
              <span className="block truncate text-note text-ink-3">
                {one.state === 'failed' ? one.error : outcomeInWords(one)}
              </span>
            </TableCell>
            <TableCell align="end" className="max-sm:hidden">
              {whenInList(one.at, today)}
              <span className="block truncate text-note text-ink-3">{fullName(one.by)}</span>
            </TableCell>
          </TableRow>
        ))}
      </div>
    </Table>
  );
}

const TONES: Partial<Record<Import['state'], string>> = { done: 'text-green', failed: 'text-red' };
