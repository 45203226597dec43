import Check from 'lucide-react/icons/check';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { useEffect, useId, useState } from 'react';
import type { NameCheckProps } from '../../../core/name-check.ts';
import { useResource } from '../../../core/use-resource.ts';
import { lookInWords, worstFirst } from '../rules.ts';
import { LookHits } from './LookHits.tsx';
import { lookFor } from '../slice.ts';

/** Milliseconds without typing after which a name is looked for; each look is on record. */
const PAUSE = 500;
/** Letters of a name that are worth a look. */
const LEAST = 3;

/** 'No match' or '2 possible conflicts' under a name; opens to what was found. It has its room from the start. */
export function NameCheckLine({ name, partyRole, caseId = '', intakeId = '' }: NameCheckProps) {
  const wanted = name.trim();
  const settled = useSettled(wanted);
  const isWorth = settled.replaceAll(/[^\p{L}\p{N}]/gu, '').length >= LEAST;
  const query = { name: settled.slice(0, 200), role: partyRole ?? '', caseId, intakeId };
  const { data, failure } = useResource(lookFor, isWorth ? query : null);
  const [isOpen, setIsOpen] = useState(false);
  const listId = useId();
  const hits = data && settled === wanted ? worstFirst(data) : null;
  const { words, isConflict } = lookInWords(hits ?? []);
  const isPending = wanted.length >= LEAST && hits === null;
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
          <span className="text-ink-3">{failure ? 'Couldn’t check the name' : 'Checking'}</span>
        )}
        {hits && hits.length > 0 && <span className="sr-only">{words}</span>}
      </span>
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
          {isOpen && <LookHits id={listId} hits={hits} />}
        </>
      )}
    </div>
  );
}

function useSettled(text: string): string {
  const [settled, setSettled] = useState('');
  useEffect(() => {
    const timer = setTimeout(setSettled, PAUSE, text);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
