import { splitLinks, splitQuotes } from '../rules.reading.ts';

/** A plain-text message, with collapsible quotes and clickable URLs. */
export function MessageText({ text }: { text: string }) {
  const parts = splitQuotes(text);
  return (
    <div className="flex max-w-[34em] flex-col gap-4 text-[0.9375rem]/6 wrap-anywhere">
      {parts.length === 0 && <p className="text-ink-3">This email has no text.</p>}
      {parts.map((part, index) =>
        part.kind === 'said' ? (
          // oxlint-disable-next-line react/no-array-index-key -- the parts of a text are never reordered
          <Paragraph key={index} text={part.text} />
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- the parts of a text are never reordered
          <details key={index} className="text-ink-2">
            <summary className="w-fit cursor-pointer rounded-small text-sm text-ink-3 hover:text-ink pointer-coarse:py-3">
              Quoted text
            </summary>
            <div className="mt-2 border-l-2 border-line pl-3">
              <Paragraph text={part.text.replaceAll(/^ ?> ?/gm, '')} />
            </div>
          </details>
        ),
      )}
    </div>
  );
}

function Paragraph({ text }: { text: string }) {
  return (
    <p dir="auto" className="whitespace-pre-wrap">
      {splitLinks(text).map(({ at, text: words, href }) =>
        href === null ? (
          <span key={at}>{words}</span>
        ) : (
          <a key={at} href={href} target="_blank" rel="noopener noreferrer" className="link">
            {words}
          </a>
        ),
      )}
    </p>
  );
}
