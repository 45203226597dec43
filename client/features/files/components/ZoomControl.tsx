import MoveHorizontal from 'lucide-react/icons/move-horizontal';
import ZoomIn from 'lucide-react/icons/zoom-in';
import ZoomOut from 'lucide-react/icons/zoom-out';
import { IconButton } from '../../../ui/IconButton.tsx';

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
