import { type ReactNode, useState } from 'react';
import { Button } from '../../../ui/Button.tsx';

interface LongListProps<Item> {
  items: readonly Item[];
  /** How many items are shown before expanding. */
  most: number;
  children: (item: Item) => ReactNode;
}

/** A list of links that starts collapsed, so that it does not push the rest off the page. */
export function LongList<Item>({ items, most, children }: LongListProps<Item>) {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? items : items.slice(0, most);
  return (
    <>
      <ul>{shown.map(children)}</ul>
      {items.length > most && (
        <Button
          variant="quiet"
          size="small"
          aria-expanded={isWhole}
          onClick={() => setIsWhole(!isWhole)}
          className="mt-2 -ml-2"
        >
          {isWhole ? 'Show fewer' : `Show ${items.length - most} more`}
        </Button>
      )}
    </>
  );
}
