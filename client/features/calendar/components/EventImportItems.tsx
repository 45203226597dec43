import CircleAlert from 'lucide-react/icons/circle-alert';
import CircleCheck from 'lucide-react/icons/circle-check';
import type { ImportItem } from '@matterdesk/contract/calendar-exchange.ts';
import { cx } from '../../../ui/cx.ts';
import { actionLabels, startInWords, summaryOf } from '../rules.exchange.ts';

/** Enough events to see what a file holds. */
const SHOWN = 100;

/** What an import would do with each event; problems come first. */
export function EventImportItems({ items }: { items: readonly ImportItem[] }) {
  const wrong = items.filter(({ problem }) => problem !== null);
  const shown = [...wrong, ...items.filter(({ problem }) => problem === null)].slice(0, SHOWN);
  const others = items.length - shown.length;
  return (
    <>
      <p className="flex items-start gap-2 font-medium">
        {wrong.length > 0 ? (
          <>
            <CircleAlert className="mt-0.5 text-red" />
            {`${items.length.toLocaleString('en-US')} read, ${wrong.length.toLocaleString('en-US')} with problems. Nothing is imported until there are none.`}
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
        <p className="mt-2 text-note text-ink-3">{`and ${others.toLocaleString('en-US')} more`}</p>
      )}
    </>
  );
}
