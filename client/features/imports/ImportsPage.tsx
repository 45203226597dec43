import '../../core/move-in.css';
import FileUp from 'lucide-react/icons/file-up';
import FolderInput from 'lucide-react/icons/folder-input';
import Plus from 'lucide-react/icons/plus';
import X from 'lucide-react/icons/x';
import { type DragEvent, useCallback, useId, useRef, useState } from 'react';
import { Link, Navigate, useParams, useSearchParams } from 'react-router';
import type { Import } from '@matterdesk/contract/imports.ts';
import { AdminsOnly } from '../../core/AdminsOnly.tsx';
import { usePolling } from '../../core/background-job.ts';
import { fullName } from '../../core/full-name.ts';
import { LeaveQuestion } from '../../core/LeaveQuestion.tsx';
import { ListPage } from '../../core/ListPage.tsx';
import { paths } from '../../core/paths.ts';
import { Pending } from '../../core/Pending.tsx';
import { useAppDispatch, useAppSelector } from '../../core/store.ts';
import { useResource } from '../../core/use-resource.ts';
import { formatCount, whenInList } from '../../core/words.ts';
import { Breadcrumbs } from '../../ui/Breadcrumbs.tsx';
import { buttonClass, Button, IconButton } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { useToday } from '../../ui/days.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Field } from '../../ui/Field.tsx';
import { FileInput } from '../../ui/FileInput.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { ProgressBar } from '../../ui/ProgressBar.tsx';
import { sizeInWords } from '../../ui/size-in-words.ts';
import { Skeleton, SkeletonRows } from '../../ui/Skeleton.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { ColumnHeader, Table, TableCell, TableHead, TableRow } from '../../ui/Table.tsx';
import { TextInput } from '../../ui/TextInput.tsx';
import { Steps, TwoColumns } from './components/Steps.tsx';
import { type NewImport as State, useNewImport } from './hooks/use-import.ts';
import { ImportPage } from './ImportPage.tsx';
import {
  amountOf,
  pathOf,
  sharesOf,
  withoutSystemFiles,
  ADDED,
  addressOf,
  filesInWords,
  nameOf,
  NEW_IMPORT,
  outcomeInWords,
  placesBelow,
  placesOfList,
  withoutUndoTrial,
  stateInWords,
} from './rules.ts';
import { ALL, importList, importProfiles, type Profiles } from './slice.ts';

/** Imports from other systems, the start of a new one, and each of them below their address. */
export function ImportsPage() {
  const { id } = useParams();
  const [params] = useSearchParams();
  const isAdmin = useAppSelector(({ user }) => user.current?.role === 'admin');
  if (!isAdmin)
    return (
      <AdminsOnly icon={FolderInput} page="Move in" title="Moving in is for admins">
        Ask an admin of your firm to bring in the records of another system.
      </AdminsOnly>
    );
  if (id !== undefined) return <ImportPage key={id} id={id} />;
  return params.has('new') ? <NewImport /> : <ImportList />;
}

/** Milliseconds between two reads of the list: while something runs, and while another admin may start it. */
const RUNNING_POLL_MS = 2000;
const IDLE_POLL_MS = 15_000;

function ImportList() {
  const dispatch = useAppDispatch();
  const list = useResource(importList, ALL);
  const { data } = list;
  const isRunning = data?.some(({ state }) => state === 'running') === true;
  const load = useCallback(() => void dispatch(importList.load(ALL)), [dispatch]);
  usePolling(isRunning ? RUNNING_POLL_MS : IDLE_POLL_MS, load);
  const start = (
    <Link to={NEW_IMPORT} className={buttonClass({ variant: 'primary' })}>
      <Plus />
      New import
    </Link>
  );
  return (
    <ListPage
      title="Move in"
      trail={<Breadcrumbs places={placesOfList} />}
      actions={data?.length === 0 ? undefined : start}
      summary="Bring matters, contacts and documents from another system. Each import can be checked first, and undone."
      list={list}
      what="the imports"
      empty={
        data?.length === 0 && (
          <EmptyState icon={FolderInput} title="Nothing moved in yet" action={start}>
            Export your records from your old system, and drop the files here. A check shows what
            would come in before anything is saved.
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
        {imports.map(withoutUndoTrial).map((one) => (
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

const stopUpload = {
  title: 'Stop the upload?',
  confirmLabel: 'Stop upload',
  cancelLabel: 'Keep uploading',
};

/** The first step: the system that is left, and its export. */
function NewImport() {
  const profiles = useResource(importProfiles, ALL);
  const state = useNewImport();
  const [added, setAdded] = useState<string | null>(null);
  const isSending = state.share !== null;
  const next = useRef<HTMLButtonElement>(null);
  const cancel = () => {
    state.cancel();
    // Its own button leaves with the upload.
    next.current?.focus();
  };
  const send = async () => setAdded((await state.send())?.id ?? null);
  // Once the question before leaving has left the page.
  if (added !== null) return <Navigate to={addressOf(added)} state={ADDED} replace />;
  return (
    <>
      <PageHeader
        title="Move in"
        trail={<Breadcrumbs places={placesBelow} />}
        actions={
          <>
            {isSending ? (
              <Button onClick={cancel}>Cancel upload</Button>
            ) : (
              <Link to={paths.imports} className={buttonClass()}>
                Back
              </Link>
            )}
            <Button
              ref={next}
              variant="primary"
              busy={isSending}
              disabled={!state.canSend}
              {...(!state.canSend && { title: 'Choose the system and its files first.' })}
              onClick={() => void send()}
            >
              Continue
            </Button>
          </>
        }
      >
        Bring matters, contacts and documents from another system. Nothing is saved before the last
        step.
      </PageHeader>
      <div className="px-4 pt-3 pb-9 sm:px-9">
        <Steps current="files" reached="files" to={() => NEW_IMPORT} note="Step 1 of 4" />
        {profiles.data ? (
          <Choices profiles={profiles.data} state={state} />
        ) : (
          <Pending of={profiles} what="the systems">
            <Skeleton className="mt-6 h-5 w-48" />
            <div className="mt-3 grid grid-cols-2 gap-2 sm:grid-cols-3">
              {Array.from({ length: 9 }, (_, at) => (
                <Skeleton key={at} className="h-11 w-full" />
              ))}
            </div>
          </Pending>
        )}
      </div>
      <LeaveQuestion isDirty={isSending} words={stopUpload} />
    </>
  );
}

function Choices({ profiles, state }: { profiles: Profiles; state: State }) {
  const chosen = profiles.profiles.find(({ key }) => key === state.profile);
  return (
    <TwoColumns aside={<HowTo profile={chosen} />}>
      <fieldset>
        <legend className="pb-2 text-heading font-semibold">Where are you moving from?</legend>
        <div className="grid grid-cols-2 gap-2 sm:grid-cols-3">
          {profiles.profiles.map(({ key, name }) => (
            <label
              key={key}
              className="move-in-system flex min-h-11 items-center gap-2.5 rounded-card border border-line-strong bg-surface px-3 font-medium transition-colors hover:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
            >
              <input
                type="radio"
                name="profile"
                value={key}
                checked={key === state.profile}
                disabled={state.share !== null}
                onChange={() => state.setProfile(key)}
                className="size-4 flex-none accent-accent outline-none"
              />
              {name}
            </label>
          ))}
        </div>
      </fieldset>
      <section aria-labelledby="import-files" className="mt-7">
        <h2 id="import-files" className="pb-2 text-heading font-semibold">
          Files
        </h2>
        {profiles.hasFolder && (
          <div className="pb-3">
            <SourceChoice state={state} />
          </div>
        )}
        {state.source === 'files' ? (
          <FilesField state={state} />
        ) : (
          <Field
            label="Folder"
            hint="Below the server’s folder of exports (IMPORT_DIR). Links out of it are not followed."
            error={state.error}
          >
            <TextInput
              value={state.dir}
              placeholder="clio-2026-11"
              autoComplete="off"
              onChange={({ target }) => state.setDir(target.value)}
              className="max-w-96"
            />
          </Field>
        )}
        {!profiles.hasFolder && (
          <p className="mt-3 text-sm text-ink-2">
            Too much to upload? Put the export on the server and set IMPORT_DIR there: then you can
            name its folder here.
          </p>
        )}
      </section>
    </TwoColumns>
  );
}

const sources = [
  { value: 'files', label: 'On this computer' },
  { value: 'dir', label: 'In a folder on the server' },
] as const;

function SourceChoice({ state }: { state: State }) {
  return (
    <fieldset className="flex flex-wrap gap-x-5 gap-y-1">
      <legend className="sr-only">Where the files are</legend>
      {sources.map(({ value, label }) => (
        <label key={value} className="flex min-h-6 items-center gap-2 pointer-coarse:min-h-11">
          <input
            type="radio"
            name="source"
            value={value}
            checked={state.source === value}
            disabled={state.share !== null}
            onChange={() => state.setSource(value)}
            className="size-4 flex-none accent-accent"
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

/** The place to drop an export, and the files that it has so far. */
function FilesField({ state }: { state: State }) {
  const { files, share, error } = state;
  return (
    <>
      <DropPlace state={state} />
      <p role="alert" className="text-note/[1.125rem] text-red">
        {error !== undefined && <span className="mt-1.5 block">{error}</span>}
      </p>
      {share !== null && (
        <div className="pt-4">
          <div className="flex items-baseline justify-between pb-2 text-sm">
            <span className="font-semibold">Uploading</span>
            <span className="text-ink-2 tabular-nums">{`${formatCount(Math.floor(share * 100))}%`}</span>
          </div>
          <ProgressBar label="Upload" value={Math.floor(share * 100)} max={100} />
        </div>
      )}
      {files.length > 0 && <Chosen state={state} />}
    </>
  );
}

function Chosen({ state: { files, share, remove } }: { state: State }) {
  const list = useRef<HTMLUListElement>(null);
  const shares = sharesOf(files, share ?? 0);
  const drop = (file: File, at: number) => {
    remove(file);
    // The button with the focus leaves with its row.
    const buttons = list.current?.querySelectorAll('button') ?? [];
    (buttons[at + 1] ?? buttons[at - 1])?.focus();
  };
  return (
    <>
      <p className="pt-4 pb-1.5 text-note text-ink-3">{amountOf(files)}</p>
      <ul
        ref={list}
        aria-label="Chosen files"
        className="divide-y divide-line border-y border-line"
      >
        {files.map((file, at) => (
          <li key={pathOf(file)} className="flex h-10 items-center gap-3 pointer-coarse:min-h-11">
            <span className="min-w-0 grow truncate">{pathOf(file)}</span>
            <span className="flex-none text-note text-ink-3 tabular-nums">
              {share === null ? sizeInWords(file.size) : sentInWords(shares[at] ?? 0)}
            </span>
            <IconButton
              label={`Remove ${pathOf(file)}`}
              icon={X}
              variant="quiet"
              size="small"
              disabled={share !== null}
              onClick={() => drop(file, at)}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

function sentInWords(share: number): string {
  if (share >= 1) return 'Sent';
  return share > 0 ? `${Math.floor(share * 100)}%` : 'Waiting';
}

function DropPlace({ state: { share, add, error } }: { state: State }) {
  const [isOver, setIsOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const id = useId();
  const isSending = share !== null;
  const handleDrag = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(event.type === 'dragover' && !isSending);
  };
  const handleDrop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    if (isSending) return;
    const items = [...event.dataTransfer.items];
    const folders = items.filter((item) => item.webkitGetAsEntry()?.isDirectory === true);
    const files = items.filter((item) => !folders.includes(item)).map((item) => item.getAsFile());
    add(
      files.filter((file) => file !== null),
      folders.length,
    );
  };
  return (
    <div
      data-drop=""
      onDragOver={handleDrag}
      onDragLeave={handleDrag}
      onDrop={handleDrop}
      className={cx(
        'flex flex-wrap items-center gap-x-4 gap-y-3 rounded-card border border-dashed px-4 py-4 transition-colors',
        isOver ? 'border-accent bg-accent-soft' : 'border-line-strong',
        error !== undefined && 'border-red',
      )}
    >
      <FileUp className="size-5! text-ink-3" />
      <div className="min-w-0 grow basis-48">
        <p className="font-medium">Drop the files of the export here</p>
        <p id={`${id}-hint`} className="text-note text-ink-3">
          CSV, Excel, vCard, iCalendar, mail, or zip; 1 to 100 files
        </p>
      </div>
      <div className="flex gap-2">
        <Button
          disabled={isSending}
          aria-describedby={`${id}-hint`}
          onClick={() => input.current?.click()}
        >
          Choose files
        </Button>
        <Button disabled={isSending} onClick={() => folder.current?.click()}>
          Choose folder
        </Button>
      </div>
      <FileInput ref={input} multiple aria-label="Files of the export" onFiles={add} />
      <FileInput
        directory
        ref={folder}
        aria-label="Folder of the export"
        onFiles={(files) => add(withoutSystemFiles(files))}
      />
    </div>
  );
}

/** The way to the export of the chosen system, and what is in it. */
function HowTo({ profile }: { profile: Profiles['profiles'][number] | undefined }) {
  if (!profile)
    return (
      <>
        <h2 className="text-heading font-semibold">How to get the export</h2>
        <p className="mt-2 text-sm text-ink-2">Choose the system first.</p>
      </>
    );
  return (
    <>
      <h2 className="text-heading font-semibold">How to get the export</h2>
      <ul className="mt-2 space-y-2 text-sm text-ink-2">
        {profile.hints.map((hint) => (
          <li key={hint}>{hint}</li>
        ))}
      </ul>
      {profile.files.length > 0 && (
        <>
          <h3 className="mt-5 font-semibold">Files that are read</h3>
          <ul className="mt-2 space-y-1 text-sm text-ink-2">
            {profile.files.map((file) => (
              <li key={file} className="wrap-anywhere">
                {file}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
