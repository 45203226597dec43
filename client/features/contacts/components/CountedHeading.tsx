import type { ReactNode } from 'react';
import { formatCount } from '../../../core/words.ts';

interface CountedHeadingProps {
  children: string;
  count: number;
  aside?: ReactNode;
}

/** The heading of a section of the card, with how much it holds. */
export function CountedHeading({ children, count, aside }: CountedHeadingProps) {
  return (
    <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <h2 className="text-heading font-semibold">
        {children}
        {count > 0 && (
          <span className="ml-2 font-normal text-ink-3 tabular-nums">{formatCount(count)}</span>
        )}
      </h2>
      {aside}
    </div>
  );
}
