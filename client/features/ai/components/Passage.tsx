import type { Citation } from '@matterdesk/contract/ai.ts';
import { use, useState } from 'react';
import { citationName, clipped } from '../rules.ts';
import { NewerVersions } from '../hooks/use-newer-versions.ts';

interface PassageProps {
  citation: Citation;
  isNamed: boolean;
  onCitation: (citation: Citation) => void;
}

/** A quotation with its key sentence marked, and a link to its place in the file. */
export function Passage({ citation, isNamed, onCitation }: PassageProps) {
  const { n, location, version = 1 } = citation;
  const hasNewer = use(NewerVersions)(citation);
  const [isWhole, setIsWhole] = useState(false);
  const { before, marked, after, isClipped } = clipped(citation, isWhole);
  return (
    <figure>
      <blockquote
        dir="auto"
        className="max-h-[17.25rem] overflow-y-auto font-serif text-heading/[1.4375rem] whitespace-pre-line wrap-anywhere"
      >
        “{before}
        <mark>{marked}</mark>
        {after}”
      </blockquote>
      <figcaption className="mt-1.5 flex flex-wrap items-center gap-x-2 text-note text-ink-2">
        <span
          aria-hidden="true"
          className="grid size-[18px] flex-none place-items-center rounded-[5px] bg-accent-soft text-xs font-semibold text-accent-ink"
        >
          {n}
        </span>
        <button
          type="button"
          onClick={() => onCitation(citation)}
          className="link min-h-6 text-left wrap-anywhere pointer-coarse:min-h-11"
        >
          {citationName(citation, isNamed)}
        </button>
        {location !== null && <span className="min-w-0 wrap-anywhere">{location}</span>}
        {hasNewer && (
          <span className="text-amber">{`From version ${version}, not the newest`}</span>
        )}
        {(isClipped || isWhole) && (
          <button
            type="button"
            onClick={() => setIsWhole(!isWhole)}
            className="link ml-auto min-h-6 pointer-coarse:min-h-11"
          >
            {isWhole ? 'Less' : 'Whole passage'}
          </button>
        )}
      </figcaption>
    </figure>
  );
}
