import ChevronDown from 'lucide-react/icons/chevron-down';
import ChevronUp from 'lucide-react/icons/chevron-up';
import MoveHorizontal from 'lucide-react/icons/move-horizontal';
import ZoomIn from 'lucide-react/icons/zoom-in';
import ZoomOut from 'lucide-react/icons/zoom-out';
import { type ReactNode, useState } from 'react';
import { formatCount } from '../../../core/words.ts';
import { IconButton } from '../../../ui/Button.tsx';

/** The toolbar of a document: the switch to its text at the left, the viewer's controls at the right. */
export function ViewerBar({ modes, children }: { modes?: ReactNode; children?: ReactNode }) {
  if (!modes && !children) return null;
  return (
    <div
      data-viewer-bar=""
      className="flex min-h-11 flex-none flex-wrap items-center gap-2 border-b border-line bg-paper px-4 py-1.5"
    >
      {modes}
      <div className="ml-auto flex flex-wrap items-center gap-2">{children}</div>
    </div>
  );
}

interface PageControlProps {
  page: number;
  pages: number;
  onChange: (page: number) => void;
}

/** 'Page 7 of 18', with the 7 as an input. */
export function PageControl({ page, pages, onChange }: PageControlProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const go = () => {
    const wanted = Number(typed ?? '');
    setTyped(null);
    if (Number.isInteger(wanted) && wanted >= 1) onChange(Math.min(wanted, pages));
  };
  return (
    <div className="flex items-center gap-1">
      <IconButton
        label="Previous page"
        icon={ChevronUp}
        variant="quiet"
        size="small"
        disabled={page <= 1}
        onClick={() => onChange(page - 1)}
        className="max-sm:hidden"
      />
      <label className="flex items-center gap-1.5 text-sm text-ink-2">
        Page
        <input
          inputMode="numeric"
          value={typed ?? page}
          onChange={(event) => setTyped(event.target.value)}
          onFocus={(event) => event.target.select()}
          onBlur={go}
          onKeyDown={(event) => {
            if (event.key === 'Enter') go();
          }}
          style={{ width: `${Math.max(String(pages).length, 2) + 2}ch` }}
          className="h-7 rounded-small border border-line-strong bg-surface text-center text-ink tabular-nums pointer-coarse:h-11"
        />
      </label>
      <span className="text-sm text-ink-2 tabular-nums">of {formatCount(pages)}</span>
      <IconButton
        label="Next page"
        icon={ChevronDown}
        variant="quiet"
        size="small"
        disabled={page >= pages}
        onClick={() => onChange(page + 1)}
        className="max-sm:hidden"
      />
    </div>
  );
}

const STEP = 1.25;
const [LEAST, MOST] = [0.25, 5];
/** CSS pixels per point: 96 and 72 per inch. */
export const ACTUAL = 96 / 72;

/** One step larger (1) or smaller (-1). */
export function zoomed(scale: number, by: 1 | -1): number {
  return Math.min(Math.max(scale * STEP ** by, LEAST), MOST);
}

interface ZoomControlProps {
  /** Pixels per point. */
  scale: number;
  isFitted: boolean;
  /** null fits the width. */
  onChange: (scale: number | null) => void;
}

export function ZoomControl({ scale, isFitted, onChange }: ZoomControlProps) {
  return (
    <div role="group" aria-label="Zoom" className="flex items-center gap-1">
      <IconButton
        label="Zoom out"
        icon={ZoomOut}
        size="small"
        variant="quiet"
        disabled={scale <= LEAST}
        onClick={() => onChange(zoomed(scale, -1))}
      />
      <span
        role="status"
        className="w-10 text-center text-sm max-sm:sr-only text-ink-2 tabular-nums"
      >
        {Math.round((scale / ACTUAL) * 100)}%
      </span>
      <IconButton
        label="Zoom in"
        icon={ZoomIn}
        size="small"
        variant="quiet"
        disabled={scale >= MOST}
        onClick={() => onChange(zoomed(scale, 1))}
      />
      <IconButton
        label="Fit the width"
        icon={MoveHorizontal}
        size="small"
        variant="quiet"
        aria-pressed={isFitted}
        onClick={() => onChange(null)}
        className="aria-pressed:text-accent"
      />
    </div>
  );
}
