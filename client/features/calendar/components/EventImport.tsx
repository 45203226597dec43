import CircleAlert from 'lucide-react/icons/circle-alert';
import CircleCheck from 'lucide-react/icons/circle-check';
import { useState, useEffect, useRef } from 'react';
import {
  type EventImportItem,
  type EventImportAction,
  exchangeRoutes,
} from '@matterdesk/contract/calendar-exchange.ts';
import { eventKinds } from '@matterdesk/contract/calendar.ts';
import { CallError, call } from '../../../api.ts';
import type { CaseField } from '../../../core/slots.ts';
import { useAppDispatch } from '../../../core/store.ts';
import { counted, formatCount, fullMoment } from '../../../core/words.ts';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { formatDay } from '../../../ui/days.ts';
import { Dialog, DialogClose } from '../../../ui/Dialog.tsx';
import { Field } from '../../../ui/Field.tsx';
import { FileDrop } from '../../../ui/FileDrop.tsx';
import type { Option } from '../../../ui/option.ts';
import { Select } from '../../../ui/Select.tsx';
import { Spinner } from '../../../ui/Spinner.tsx';
import { kindLabels } from '../rules.ts';
import { calendarChanged } from '../slice.ts';

interface EventImportProps {
  caseField: CaseField;
  onClose: () => void;
}

const kinds = eventKinds.map((value) => ({ value, label: kindLabels[value] }));

/** Takes events from a file of another calendar: a preview first, then all of them or none. */
export function EventImport({ caseField: Case, onClose }: EventImportProps) {
  const { file, items, failure, busy, attempt, run } = useEventImport();
  const [matter, setMatter] = useState<Option | null>(null);
  const [kind, setKind] = useState('');
  const fields = (of: Option | null) => ({ caseId: of?.id ?? '', kind });
  const isRight = items?.every(({ problem }) => problem === null) ?? false;
  const count = countChanges(items ?? []);
  const chooseMatter = (option: Option | null) => {
    setMatter(option);
    // Check again: events that the matter already has are not added twice.
    if (file) void attempt(file, fields(option));
  };
  return (
    <Dialog
      open
      onClose={() => busy !== 'importing' && onClose()}
      title="Import events"
      subtitle="From an .ics file. All events are imported, or none."
      size="large"
      footer={
        <>
          <DialogClose />
          {isRight && count > 0 && (
            <Button
              variant="primary"
              busy={busy === 'importing'}
              onClick={() => void run(fields(matter)).then((isDone) => isDone && onClose())}
            >
              {`Import ${inEvents(count)}`}
            </Button>
          )}
        </>
      }
    >
      <FileDrop
        what="calendar file"
        accept=".ics,.ical,text/calendar"
        file={file}
        error={failure}
        onFile={(chosen) => void attempt(chosen, fields(matter))}
      />
      <div className="mt-4 grid gap-4 sm:grid-cols-2">
        <Field
          label="Matter"
          hint="Applies to every event in the file. Leave blank for firm events."
        >
          <Case value={matter} onChange={chooseMatter} />
        </Field>
        <Field label="Kind">
          <Select
            placeholder="Other"
            options={kinds}
            value={kind}
            onChange={(event) => setKind(event.target.value)}
          />
        </Field>
      </div>
      <div aria-live="polite" className="mt-5">
        {busy === 'trying' && (
          <p className="flex items-center gap-2 text-ink-2">
            <Spinner /> Reading the file…
          </p>
        )}
        {items && <EventImportItems items={items} />}
      </div>
    </Dialog>
  );
}

/** Shows what a file would change, then takes all of it or nothing. */
function useEventImport() {
  const dispatch = useAppDispatch();
  const [file, setFile] = useState<File | null>(null);
  const [items, setItems] = useState<EventImportItem[] | null>(null);
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState<'trying' | 'importing' | null>(null);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const attempt = async (chosen: File, fields: ImportFields) => {
    running.current?.abort();
    const { signal } = (running.current = new AbortController());
    setFile(chosen);
    setItems(null);
    setFailure(undefined);
    setBusy('trying');
    try {
      const found = await tryImport(chosen, fields, signal);
      if (!signal.aborted) setItems(found);
    } catch (error) {
      if (!signal.aborted) setFailure(inWords(error));
    }
    if (!signal.aborted) setBusy(null);
  };

  /** @returns whether the events were taken */
  const run = async (fields: ImportFields): Promise<boolean> => {
    if (!file) return false;
    setBusy('importing');
    try {
      await importEvents(file, fields);
      dispatch(calendarChanged());
      return true;
    } catch (error) {
      setFailure(inWords(error));
      return false;
    } finally {
      setBusy(null);
    }
  };
  return { file, items, failure, busy, attempt, run };
}

/** Reading fails when the file has changed on disk since it was chosen. */
function inWords(error: unknown): string {
  return error instanceof CallError ? error.message : 'Can’t read the file. Choose it again.';
}

/** Enough events to see what a file holds. */
const SHOWN = 100;

/** Previews the effect of an import on each event; problems come first. */
function EventImportItems({ items }: { items: readonly EventImportItem[] }) {
  const wrong = items.filter(({ problem }) => problem !== null);
  const shown = [...wrong, ...items.filter(({ problem }) => problem === null)].slice(0, SHOWN);
  const others = items.length - shown.length;
  return (
    <>
      <p className="flex items-start gap-2 font-medium">
        {wrong.length > 0 ? (
          <>
            <CircleAlert className="mt-0.5 text-red" />
            {`${formatCount(items.length)} read, ${formatCount(wrong.length)} with problems. Nothing is imported until there are none.`}
          </>
        ) : (
          <>
            <CircleCheck className="mt-0.5 text-green" />
            {summaryOf(items)}
          </>
        )}
      </p>
      <table className="mt-3 w-full text-left text-sm">
        <caption className="sr-only">Events of the file</caption>
        <thead className="text-xs text-ink-3">
          <tr className="border-b border-line">
            {['Event', 'Start', 'What happens'].map((name) => (
              <th key={name} scope="col" className="py-1.5 pr-4 font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map(({ title, start, action, problem }, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- events of a file have no other name
            <tr key={index} className="border-b border-line align-top">
              <td className="py-2 pr-4 wrap-anywhere">{title}</td>
              <td className="py-2 pr-4 tabular-nums">{startInWords(start)}</td>
              <td
                className={cx(
                  'py-2 wrap-anywhere',
                  problem !== null && 'text-red',
                  action === 'skip' && 'text-ink-3',
                )}
              >
                {problem ?? actionLabels[action]}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {others > 0 && (
        <p className="mt-2 text-note text-ink-3">{`and ${formatCount(others)} more`}</p>
      )}
    </>
  );
}

const actionLabels: Record<EventImportAction, string> = {
  add: 'Add',
  update: 'Update',
  cancel: 'Cancel',
  skip: 'Leave as it is',
};

function countChanges(items: readonly EventImportItem[]): number {
  return items.filter(({ action }) => action !== 'skip').length;
}

function inEvents(count: number): string {
  return counted(count, 'event');
}

/** '12 events: 10 to add, 2 to leave as they are' */
function summaryOf(items: readonly EventImportItem[]): string {
  const words: Record<EventImportAction, string> = {
    add: 'to add',
    update: 'to update',
    cancel: 'to cancel',
    skip: 'to leave',
  };
  const actions = Object.keys(words) as EventImportAction[];
  const parts = actions
    .map((action) => ({ action, count: items.filter((item) => item.action === action).length }))
    .filter(({ count }) => count > 0)
    .map(({ action, count }) => `${formatCount(count)} ${words[action]}`);
  return `${inEvents(items.length)}: ${parts.join(', ')}`;
}

/** 'Feb 3, 2027, 9:30 AM', where the reader is. */
function startInWords(start: string): string {
  if (start === '') return '';
  if (start.length === 10) return formatDay(start);
  return fullMoment(start);
}

/** The matter and the kind of a file's events. */
type ImportFields = { caseId: string; kind: string };

/** Previews what an import would do with each event of a file. */
async function tryImport(file: File, fields: ImportFields, signal: AbortSignal) {
  const query = { dryRun: 1 };
  const input = { query, file, fields, signal, failing: 'Couldn’t read the file' };
  return (await call(exchangeRoutes.importEvents, { ...input, toasts: 'none' })).items;
}

/** Takes all events of a file, or none. */
async function importEvents(file: File, fields: ImportFields) {
  const input = { file, fields, failing: 'Couldn’t import the events' };
  return (await call(exchangeRoutes.importEvents, input)).items;
}
