import CircleCheck from 'lucide-react/icons/circle-check';
import { humanize, counted, formatCount } from '../../../core/words.ts';

const SHOWN = ['caseName', 'caseNo', 'statusType', 'SOL'];

interface ImportPreviewProps {
  rows: number;
  /** The first rows of the file, including its header. */
  head: string[][];
  /** The header of each field. */
  mapping: Record<string, string>;
}

/** Preview of an import: the number of cases, and the first few. */
export function ImportPreview({ rows, head, mapping }: ImportPreviewProps) {
  const [header = [], ...first] = head;
  const headers = header.map((cell) => cell.trim());
  const columns = SHOWN.map((name) => ({ name, at: headers.indexOf(mapping[name] ?? '') }));
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
