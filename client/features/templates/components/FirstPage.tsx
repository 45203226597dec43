import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import type { PreviewBlock } from '@matterdesk/contract/templates.ts';
import { IconButton } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';

interface FirstPageProps {
  blocks: readonly PreviewBlock[];
  /** Names of the recipients; an empty one means a letter without a recipient. */
  recipients: readonly string[];
  at: number;
  onRecipient: (at: number) => void;
  /** Called with the path of a yellow blank. */
  onGap: (path: string) => void;
}

/** The first page as text: enough to see what it says, not how Word breaks its lines. */
export function FirstPage({ blocks, recipients, at, onRecipient, onGap }: FirstPageProps) {
  const { length } = recipients;
  return (
    <section
      aria-label="First page"
      className="flex min-h-0 flex-col gap-2.5 p-4 lg:px-7 lg:py-3.5"
    >
      <div className="flex items-center gap-1 text-sm text-ink-2">
        {length > 1 && (
          <IconButton
            label="Previous recipient"
            icon={ChevronLeft}
            variant="quiet"
            size="small"
            onClick={() => onRecipient((at + length - 1) % length)}
          />
        )}
        <p className="min-w-0 truncate">
          {recipients[at]}
          {length > 1 && `, ${at + 1} of ${length}`}
        </p>
        {length > 1 && (
          <IconButton
            label="Next recipient"
            icon={ChevronRight}
            variant="quiet"
            size="small"
            onClick={() => onRecipient((at + 1) % length)}
          />
        )}
        <p className="ml-auto flex-none">First page</p>
      </div>
      <div className="letter-page min-h-0 grow overflow-y-auto bg-surface px-9 py-9 font-serif text-sm leading-normal shadow-float">
        {blocks.map((block, index) => (
          // Lines have no names, and a new page replaces them all.
          // oxlint-disable-next-line react/no-array-index-key
          <Line key={index} block={block} onGap={onGap} />
        ))}
      </div>
    </section>
  );
}

const ALIGNS = { center: 'text-center', right: 'text-right', both: 'text-justify' } as const;
/** Half points of ordinary text. */
const USUAL = 24;
/** Pixels of a level. */
const INDENT = 20;

function Line({ block, onGap }: { block: PreviewBlock } & Pick<FirstPageProps, 'onGap'>) {
  const { align, indent = 0, marker, rule, runs, row } = block;
  if (row)
    return (
      <div className="flex gap-2 border-b border-line py-1">
        {row.map((cell, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- as the lines
          <span key={index} className="min-w-0 flex-1">
            <Runs runs={cell} onGap={onGap} />
          </span>
        ))}
      </div>
    );
  return (
    <p
      className={cx(
        'min-h-[1lh] pb-1.5 wrap-anywhere whitespace-pre-wrap',
        align && ALIGNS[align],
        rule && 'mb-2 border-b border-ink',
        marker !== undefined && 'flex gap-2',
      )}
      style={{ paddingLeft: indent * INDENT }}
    >
      {marker !== undefined && <span className="flex-none">{marker}</span>}
      <span>
        <Runs runs={runs} onGap={onGap} />
      </span>
    </p>
  );
}

function Runs({ runs, onGap }: Pick<PreviewBlock, 'runs'> & Pick<FirstPageProps, 'onGap'>) {
  return runs.map(({ text, bold, italic, underline, size, gap }, index) => {
    const className = cx(
      bold && 'font-semibold',
      italic && 'italic',
      underline && 'underline',
      size !== undefined && size > USUAL && 'text-heading',
    );
    return gap === undefined ? (
      // oxlint-disable-next-line react/no-array-index-key -- as the lines
      <span key={index} className={className}>
        {text}
      </span>
    ) : (
      <button
        // oxlint-disable-next-line react/no-array-index-key -- as the lines
        key={index}
        type="button"
        className={cx(className, 'letter-gap')}
        onClick={() => onGap(gap)}
      >
        {text}
      </button>
    );
  });
}
