import CircleAlert from 'lucide-react/icons/circle-alert';
import CircleCheck from 'lucide-react/icons/circle-check';
import { type SubmitEvent, useState, useEffect, useRef } from 'react';
import {
  caseColumns,
  columnOfHeader,
  type ImportReport,
  type Decode,
  decodeText,
  delimiterOf,
} from '@matterdesk/contract/cases.ts';
import { CallError } from '../../../api.ts';
import { saveFile } from '../../../core/download.ts';
import { useAppDispatch } from '../../../core/store.ts';
import { counted, formatCount, humanize, plural } from '../../../core/words.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogClose } from '../../../ui/Dialog.tsx';
import { Field } from '../../../ui/Field.tsx';
import { FileDrop } from '../../../ui/FileDrop.tsx';
import { Select } from '../../../ui/Select.tsx';
import { Spinner } from '../../../ui/Spinner.tsx';
import { type Mapping, importCases, tryImport } from '../api.ts';
import { readCsvHead } from '../rules.ts';
import { lists } from '../slice.ts';

interface ImportDialogProps {
  onClose: () => void;
  /** Called once the cases are created. */
  onImported: () => void;
}

/** Imports cases from a CSV file: a check first, then all rows or none. */
export function ImportDialog({ onClose, onImported }: ImportDialogProps) {
  const { file, head, trial, failure, busy, attempt, run } = useImport();
  const isRight = trial?.report.errors.length === 0;
  const count = trial?.report.rows ?? 0;
  return (
    <Dialog
      open
      // A running import cannot be stopped, so closing would only hide its outcome.
      onClose={() => busy !== 'importing' && onClose()}
      title="Import cases"
      subtitle="From a CSV file. All rows are imported, or none."
      size="large"
      footer={
        <>
          <DialogClose />
          {isRight && (
            <Button
              variant="primary"
              busy={busy === 'importing'}
              onClick={() => void run().then((isDone) => isDone && onImported())}
            >
              {`Import ${counted(count, 'case')}`}
            </Button>
          )}
        </>
      }
    >
      <FileDrop
        what="CSV file"
        accept=".csv,text/csv"
        file={file}
        error={failure}
        onFile={(chosen) => void attempt(chosen)}
      />
      <div aria-live="polite" className="mt-5">
        {busy === 'trying' && (
          <p className="flex items-center gap-2 text-ink-2">
            <Spinner /> Checking each row…
          </p>
        )}
        {isRight && <ImportPreview rows={count} head={trial.head} mapping={trial.report.mapping} />}
        {trial && !isRight && <ImportErrors report={trial.report} />}
      </div>
      {file && failure !== undefined && head.length > 1 && busy === null && (
        <ImportMapping
          key={head[0]?.join()}
          head={head}
          onMapped={(mapping) => void attempt(file, mapping)}
        />
      )}
      {!file && <HowTo />}
    </Dialog>
  );
}

function HowTo() {
  const saveTemplate = () =>
    // Spreadsheets recognize UTF-8 by the byte order mark.
    saveFile(
      new Blob([`\uFEFF${caseColumns.map(headerOf).join(',')}\r\n`], { type: 'text/csv' }),
      'matters-template.csv',
    );
  return (
    <div className="grid gap-2 text-ink-2">
      <p>
        The first row names the columns, in any order. Columns that are not recognized can be chosen
        by hand; Assigned Users is optional:
      </p>
      <p className="rounded-card bg-sunken px-3 py-2 text-note wrap-anywhere">
        {caseColumns.map(headerOf).join(', ')}
      </p>
      <p>
        Dates look like 3/2/2026 or 2026-03-02. Status types are Active or Archive, statuses
        Pre-List, Litigation or ADR, types Civil, PI or Med-Mal. Assigned users are email addresses,
        separated with semicolons. A file can have up to 20,000 rows and 20 MB.
      </p>
      <p>
        <button type="button" className="link min-h-6" onClick={saveTemplate}>
          Download a template
        </button>
      </p>
    </div>
  );
}

/** Enough errors to see what to correct in the file. */
const MAX_ERRORS_SHOWN = 100;

/** The errors of a file, row by row. */
function ImportErrors({ report: { rows, errors } }: { report: ImportReport }) {
  const wrong = new Set(errors.map(({ row }) => row)).size;
  const others = errors.length - MAX_ERRORS_SHOWN;
  return (
    <>
      <p className="flex items-start gap-2 font-medium">
        <CircleAlert className="mt-0.5 text-red" />
        {`${counted(rows, 'row')} read, ${formatCount(wrong)} with errors. Nothing is imported until every row is valid.`}
      </p>
      <table className="mt-3 w-full text-left text-sm">
        <caption className="sr-only">Errors by row</caption>
        <thead className="text-xs text-ink-3">
          <tr className="border-b border-line">
            <th scope="col" className="py-1.5 pr-4 font-medium">
              Row
            </th>
            <th scope="col" className="py-1.5 pr-4 font-medium">
              Field
            </th>
            <th scope="col" className="py-1.5 font-medium">
              Problem
            </th>
          </tr>
        </thead>
        <tbody>
          {errors.slice(0, MAX_ERRORS_SHOWN).map(({ row, path, message }) => (
            <tr key={`${row} ${path} ${message}`} className="border-b border-line align-top">
              <td className="py-2 pr-4 tabular-nums">{row}</td>
              <td className="py-2 pr-4">{humanize(path)}</td>
              <td className="py-2 wrap-anywhere text-red">{message}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {others > 0 && (
        <p className="mt-2 text-note text-ink-3">
          {`and ${formatCount(others)} more ${plural(others, 'error')}`}
        </p>
      )}
    </>
  );
}

interface ImportMappingProps {
  /** The first rows of the file, including its header. */
  head: string[][];
  onMapped: (mapping: Mapping) => void;
}

/** Chooses the column of each field, with the first value that it holds. */
function ImportMapping({ head, onMapped }: ImportMappingProps) {
  const [header = [], first = []] = head;
  const headers = header.map((cell) => cell.trim());
  const [mapping, setMapping] = useState<Mapping>(() => recognize(headers));
  const options = [...new Set(headers.filter((cell) => cell !== ''))];
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    onMapped(mapping);
  };
  return (
    <form onSubmit={handleSubmit}>
      <h3 className="font-medium">Which column is which?</h3>
      <div className="mt-3 grid gap-x-5 gap-y-3 sm:grid-cols-2">
        {caseColumns.map((column) => {
          const chosen = mapping[column] ?? '';
          return (
            <Field
              key={column}
              required={column !== 'assignedUsers'}
              label={headerOf(column)}
              hint={first[headers.indexOf(chosen)]}
            >
              <Select
                placeholder="Select a column"
                options={options}
                value={chosen}
                onChange={({ target }) => setMapping(withColumn(mapping, column, target.value))}
              />
            </Field>
          );
        })}
      </div>
      <Button type="submit" className="mt-4">
        Check with these columns
      </Button>
    </form>
  );
}

function recognize(headers: readonly string[]): Mapping {
  const known = headers.flatMap((header) => {
    const column = columnOfHeader(header);
    return column === undefined ? [] : [[column, header] as const];
  });
  return Object.fromEntries(known);
}

function withColumn(mapping: Mapping, column: string, header: string): Mapping {
  const { [column]: _, ...others } = mapping;
  return header === '' ? others : { ...others, [column]: header };
}

/** 'Client Name' for clientInfo.name. */
function headerOf(column: string): string {
  return humanize(column.replace('Info.', '.'));
}

const ROWS_SHOWN = ['caseName', 'caseNo', 'statusType', 'SOL'];

interface ImportPreviewProps {
  rows: number;
  /** The first rows of the file, including its header. */
  head: string[][];
  /** The header of each field. */
  mapping: Record<string, string>;
}

/** Preview of an import: the number of cases, and the first few. */
function ImportPreview({ rows, head, mapping }: ImportPreviewProps) {
  const [header = [], ...first] = head;
  const headers = header.map((cell) => cell.trim());
  const columns = ROWS_SHOWN.map((name) => ({ name, at: headers.indexOf(mapping[name] ?? '') }));
  const others = rows - first.length;
  return (
    <>
      <p className="flex items-start gap-2 font-medium">
        <CircleCheck className="mt-0.5 text-green" />
        {`${counted(rows, 'row')}, no errors. ${counted(rows, 'case')} will be added.`}
      </p>
      <table className="mt-3 w-full table-fixed text-left text-sm">
        <caption className="sr-only">First rows of the file</caption>
        <thead className="text-xs text-ink-3">
          <tr className="border-b border-line">
            {columns.map(({ name }) => (
              <th key={name} scope="col" className="py-1.5 pr-3 font-medium">
                {humanize(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {first.map((row, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- rows of a file have no other name
            <tr key={index} className="border-b border-line">
              {columns.map(({ name, at }) => (
                <td key={name} className="truncate py-2 pr-3">
                  {row[at]}
                </td>
              ))}
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

/** Rows of the preview, and the bytes of the file read for them. */
const MAX_PREVIEW_ROWS = 5;
const MAX_PREVIEW_BYTES = 100_000;

export type DryRunState = { report: ImportReport; head: string[][] };

/** Checks a file without creating cases, then creates all of them or none. */
export function useImport() {
  const dispatch = useAppDispatch();
  const [file, setFile] = useState<File | null>(null);
  const [head, setHead] = useState<string[][]>([]);
  const [mapping, setMapping] = useState<Mapping | null>(null);
  const [trial, setTrial] = useState<DryRunState | null>(null);
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState<'trying' | 'importing' | null>(null);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const attempt = async (chosen: File, columns: Mapping | null = null) => {
    running.current?.abort();
    const { signal } = (running.current = new AbortController());
    setFile(chosen);
    setMapping(columns);
    setTrial(null);
    setFailure(undefined);
    setBusy('trying');
    try {
      const first = await readHead(chosen);
      setHead(first);
      const report = await tryImport(chosen, columns, signal);
      if (signal.aborted) return;
      setTrial({ report, head: first });
      setBusy(null);
    } catch (error) {
      if (signal.aborted) return;
      setFailure(inWords(error));
      setBusy(null);
    }
  };

  /** @returns whether the cases were created */
  const run = async (): Promise<boolean> => {
    if (!file) return false;
    setBusy('importing');
    try {
      const report = await importCases(file, mapping);
      dispatch(lists.invalidated());
      if (report.errors.length === 0) return true;
      setTrial((before) => before && { ...before, report });
    } catch (error) {
      setFailure(inWords(error));
    } finally {
      setBusy(null);
    }
    return false;
  };
  return { file, head, trial, failure, busy, attempt, run };
}

const decode: Decode = (bytes, charset) => new TextDecoder(charset, { fatal: true }).decode(bytes);

async function readHead(file: File): Promise<string[][]> {
  const bytes = new Uint8Array(await file.slice(0, MAX_PREVIEW_BYTES).arrayBuffer());
  // The last character may be cut, so that its line is not read.
  const whole =
    file.size > MAX_PREVIEW_BYTES ? bytes.subarray(0, bytes.lastIndexOf(10) + 1) : bytes;
  const text = decodeText(whole, decode) ?? '';
  return readCsvHead(text, MAX_PREVIEW_ROWS + 1, delimiterOf(text));
}

/** Reading fails when the file has changed on disk since it was chosen. */
function inWords(error: unknown): string {
  return error instanceof CallError ? error.message : 'Can’t read the file. Choose it again.';
}
