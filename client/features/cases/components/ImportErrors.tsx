import CircleAlert from 'lucide-react/icons/circle-alert';
import type { ImportReport } from '@matterdesk/contract/cases.ts';
import { humanise } from '../rules.ts';

/** Enough errors to see what to correct in the file. */
const SHOWN = 100;

/** The errors of a file, row by row. */
export function ImportErrors({ report: { rows, errors } }: { report: ImportReport }) {
  const wrong = new Set(errors.map(({ row }) => row)).size;
  const others = errors.length - SHOWN;
  return (
    <>
      <p className="flex items-start gap-2 font-medium">
        <CircleAlert className="mt-0.5 text-red" />
        {`${inRows(rows)} read, ${wrong.toLocaleString('en-US')} with errors. Nothing is imported until every row is valid.`}
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
          {errors.slice(0, SHOWN).map(({ row, path, message }) => (
            <tr key={`${row} ${path} ${message}`} className="border-b border-line align-top">
              <td className="py-2 pr-4 tabular-nums">{row}</td>
              <td className="py-2 pr-4">{humanise(path)}</td>
              <td className="py-2 wrap-anywhere text-red">{message}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {others > 0 && (
        <p className="mt-2 text-note text-ink-3">
          {`and ${others.toLocaleString('en-US')} more ${others === 1 ? 'error' : 'errors'}`}
        </p>
      )}
    </>
  );
}

function inRows(rows: number): string {
  return rows === 1 ? '1 row' : `${rows.toLocaleString('en-US')} rows`;
}
