import type { Citation } from '@matterdesk/contract/ai.ts';
import Square from 'lucide-react/icons/square';
import { Button } from '../../../ui/Button.tsx';
import { Spinner } from '../../../ui/Spinner.tsx';
import type { Draft } from '../rules.ts';
import { FoldedPassages } from './FoldedPassages.tsx';

interface DraftViewProps {
  draft: Draft;
  isNamed: boolean;
  onStop: () => void;
  onCitation: (citation: Citation) => void;
}

/** An answer while it streams: the passages found and the text so far. */
export function DraftView({ draft, isNamed, onStop, onCitation }: DraftViewProps) {
  const isWriting = draft.text !== '';
  return (
    <div>
      {isWriting && (
        // Screen readers announce the whole answer, not each word.
        <p
          aria-live="off"
          dir="auto"
          className="rounded-pop rounded-bl-[3px] bg-sunken px-3 py-2.5 whitespace-pre-wrap wrap-anywhere"
        >
          {draft.text}
        </p>
      )}
      <div className="mt-1">
        <FoldedPassages citations={draft.citations} isNamed={isNamed} onCitation={onCitation} />
      </div>
      {/* However long the answer is, the way to stop it is in sight. */}
      <p className="sticky -bottom-3 flex items-center gap-2 bg-surface px-1 py-1.5 text-note text-ink-2">
        <Spinner /> {isWriting ? 'Writing. Not checked yet.' : 'Searching'}
        <Button size="small" icon={Square} className="ml-auto" onClick={onStop}>
          Stop
        </Button>
      </p>
    </div>
  );
}
