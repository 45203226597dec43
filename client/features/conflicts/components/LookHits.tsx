import type { Hit } from '@matterdesk/contract/conflicts.ts';
import Lock from 'lucide-react/icons/lock';
import { askInWords, needsDecision, roleOf, severityNames, stateOf } from '../rules.ts';
import { SeverityMark } from './SeverityMark.tsx';

/** What a typed name meets, worst first: why it matches, and where. */
export function LookHits({ id, hits }: { id: string; hits: readonly Hit[] }) {
  return (
    <ul id={id} className="mt-1.5 grid gap-2 rounded-card border border-line bg-paper p-3">
      {hits.map((hit) => (
        <li key={hit.id} className="grid grid-cols-[5.5rem_minmax(0,1fr)] gap-2">
          <span>
            <SeverityMark severity={hit.severity} />
            <span className="sr-only">
              {needsDecision(hit) ? '' : `, ${severityNames[hit.severity]} needs no decision`}
            </span>
          </span>
          {hit.severity === 'hidden' ? (
            <span className="flex flex-wrap items-center gap-1.5 text-ink-2">
              <Lock className="size-3.5!" />
              {`In a matter that you do not see. ${askInWords(hit.ask)}.`}
            </span>
          ) : (
            <span className="min-w-0 wrap-anywhere">
              <span className="font-medium text-ink">{hit.found.name}</span>
              <span className="text-ink-2">{` · ${placeOf(hit)}`}</span>
              <span className="block text-ink-2">{hit.reason}</span>
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function placeOf({ found }: Extract<Hit, { found: unknown }>): string {
  const role = roleOf(found);
  if (found.case) return `${role} in ${found.case.caseName}, ${stateOf(found)}`;
  if (found.intake) return `${role} in intake ${found.intake.number}`;
  return role;
}
