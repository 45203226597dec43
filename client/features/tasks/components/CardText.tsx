import { useState } from 'react';
import { cx } from '../../../ui/cx.ts';

const SHORT = 160;
const FEW_LINES = 4;

/** The description of a task: its beginning, and the rest when asked for. */
export function CardText({ text, tabIndex }: { text: string; tabIndex: number }) {
  const [isWhole, setIsWhole] = useState(false);
  if (text === '') return null;
  const isLong = text.length > SHORT || text.split('\n').length > FEW_LINES;
  return (
    <>
      <p
        dir="auto"
        className={cx(
          'text-sm wrap-anywhere whitespace-pre-line text-ink-2',
          isLong && !isWhole && 'line-clamp-4',
        )}
      >
        {text}
      </p>
      {isLong && (
        <button
          type="button"
          tabIndex={tabIndex}
          aria-expanded={isWhole}
          onClick={() => setIsWhole(!isWhole)}
          className="min-h-6 text-note link pointer-coarse:min-h-11"
        >
          {isWhole ? 'Show less' : 'Show all'}
        </button>
      )}
    </>
  );
}
