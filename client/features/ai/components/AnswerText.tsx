// Components of the chat that answers from files.

import type { Answer, Citation } from '@matterdesk/contract/ai.ts';
import { citationName, cutNumbers, cutUnsupported } from '../rules.ts';

interface AnswerTextProps {
  answer: Answer;
  isNamed: boolean;
  onCitation: (citation: Citation) => void;
}

/** The text of an answer, with citation numbers as links and parts without a source marked. */
export function AnswerText({ answer, isNamed, onCitation }: AnswerTextProps) {
  const numbered = (text: string) =>
    cutNumbers(text, answer.citations).map(({ at, text: part, citation }) =>
      citation ? (
        <button
          key={at}
          type="button"
          aria-label={`Passage ${citation.n}, ${citationName(citation, isNamed)}`}
          onClick={() => onCitation(citation)}
          className="mx-0.5 inline-grid h-[18px] min-w-[18px] place-items-center rounded-[5px] bg-accent-soft px-1 align-middle text-xs font-semibold text-accent-ink hover:bg-accent hover:text-on-accent pointer-coarse:h-6 pointer-coarse:min-w-6"
        >
          {citation.n}
        </button>
      ) : (
        <span key={at}>{part}</span>
      ),
    );
  return (
    <p dir="auto" className="whitespace-pre-wrap wrap-anywhere">
      {cutUnsupported(answer).map(({ at, text, kind }) =>
        kind === 'plain' ? (
          <span key={at}>{numbered(text)}</span>
        ) : (
          <span
            key={at}
            className="underline decoration-amber decoration-dotted underline-offset-4"
          >
            {text}
            <span className="ml-1 inline-block text-note text-amber">(no source)</span>
          </span>
        ),
      )}
    </p>
  );
}
