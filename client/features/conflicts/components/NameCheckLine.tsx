import Check from 'lucide-react/icons/check';
import Lock from 'lucide-react/icons/lock';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { useId, useState } from 'react';
import type { Hit } from '@matterdesk/contract/conflicts.ts';
import type { NameCheckProps } from '../../../core/slots.ts';
import { useDebounced } from '../../../core/use-debounced.ts';
import { useResource } from '../../../core/use-resource.ts';
import {
  nameCheckInWords,
  worstFirst,
  askInWords,
  needsDecision,
  roleOf,
  severityNames,
  stateOf,
} from '../rules.ts';
import { nameHits } from '../slice.ts';
import { SeverityMark } from './SeverityMark.tsx';

/** Milliseconds without typing before a name is searched; each search is audited. */
const TYPING_PAUSE_MS = 500;
/** Letters and digits that a name needs to be searched. */
const MIN_NAME_LENGTH = 3;

/** 'No match' or '2 possible conflicts' under a name; opens to the hits. Its height is reserved from the start. */
export function NameCheckLine({ name, partyRole, caseId = '', intakeId = '' }: NameCheckProps) {
  const wanted = name.trim();
  const debounced = useDebounced(wanted, TYPING_PAUSE_MS, '');
  const isWorth = debounced.replaceAll(/[^\p{L}\p{N}]/gu, '').length >= MIN_NAME_LENGTH;
  const query = { name: debounced.slice(0, 200), role: partyRole ?? '', caseId, intakeId };
  const { data, failure, refresh } = useResource(nameHits, isWorth ? query : null);
  const [isOpen, setIsOpen] = useState(false);
  const listId = useId();
  const hits = data && debounced === wanted ? worstFirst(data) : null;
  const { words, isConflict } = nameCheckInWords(hits ?? []);
  const isPending = wanted.length >= MIN_NAME_LENGTH && hits === null;
  return (
    <div className="mt-1 min-h-[1.125rem] text-note/[1.125rem]">
      <span role="status">
        {hits?.length === 0 && (
          <span className="flex items-center gap-1.5 text-ink-3">
            <Check className="size-3.5!" />
            {words}
          </span>
        )}
        {isPending && (
          <span className="text-ink-3">{failure ? 'Couldn’t check the name. ' : 'Checking'}</span>
        )}
        {hits && hits.length > 0 && <span className="sr-only">{words}</span>}
      </span>
      {isPending && failure && (
        <button
          type="button"
          tabIndex={-1}
          onClick={refresh}
          className="inline-flex min-h-[1.125rem] items-center gap-1.5 rounded-small font-medium underline-offset-3 hover:underline pointer-coarse:min-h-11 text-ink-2"
        >
          Try again
        </button>
      )}
      {hits && hits.length > 0 && (
        <>
          <button
            type="button"
            tabIndex={-1}
            aria-expanded={isOpen}
            aria-controls={isOpen ? listId : undefined}
            onClick={() => setIsOpen(!isOpen)}
            className={`inline-flex min-h-[1.125rem] items-center gap-1.5 rounded-small font-medium underline-offset-3 hover:underline pointer-coarse:min-h-11 ${isConflict ? 'text-amber' : 'text-ink-2'}`}
          >
            {isConflict && <TriangleAlert className="size-3.5!" />}
            {words}
          </button>
          {isOpen && <NameHits id={listId} hits={hits} />}
        </>
      )}
    </div>
  );
}

/** Matches for a typed name, worst first, each with its reason and source. */
function NameHits({ id, hits }: { id: string; hits: readonly Hit[] }) {
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
              {`In a matter you can’t see. ${askInWords(hit.ask)}.`}
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
