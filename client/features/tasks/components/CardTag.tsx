import { columnTitles, type ColumnId } from '@matterdesk/contract/columns.ts';
import { cx } from '../../../ui/cx.ts';
import { Spinner } from '../../../ui/Spinner.tsx';
import type { Tag } from '../slice.ts';

interface CardTagProps {
  tag: Tag | undefined;
  movingTo: ColumnId | undefined;
}

/** A tag on a card's upper edge: where it is moving to, or who just moved it. */
export function CardTag({ tag, movingTo }: CardTagProps) {
  if (movingTo === undefined && !tag) return null;
  const words = tag?.mover ? `${tag.mover} just moved this` : 'Just moved';
  return (
    <span
      className={cx(
        'absolute -top-2.5 right-2 z-10 flex max-w-[calc(100%-1rem)] items-center gap-1.5 rounded-full bg-accent-soft px-2 text-xs/5 font-medium text-accent-ink',
        movingTo ? 'animate-delayed' : 'animate-appear',
      )}
    >
      {movingTo && <Spinner className="size-3" />}
      <span className="truncate">{movingTo ? `Moving to ${columnTitles[movingTo]}` : words}</span>
    </span>
  );
}
