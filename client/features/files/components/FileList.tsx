import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { FileRow } from './FileRow.tsx';

const ROW_HEIGHT = 38;
/** A longer list draws only what can be seen, in a box of its own. */
const SHORT = 100;

interface FileListProps {
  folder: string;
  urls: readonly string[];
}

/** The files of an open folder. */
export function FileList({ folder, urls }: FileListProps) {
  if (urls.length > SHORT) return <LongList folder={folder} urls={urls} />;
  return (
    <ul aria-label={`Files in ${folder}`}>
      {urls.map((url) => (
        <li key={url}>
          <FileRow folder={folder} url={url} />
        </li>
      ))}
    </ul>
  );
}

function LongList({ folder, urls }: FileListProps) {
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: urls.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => urls[index] ?? index,
    overscan: 10,
    rangeExtractor: (range) => {
      // A row that leaves the document would lose the focus.
      const held = box.current?.querySelector('[data-index]:focus-within');
      const kept = held ? [Number(held.getAttribute('data-index'))] : [];
      return [...new Set([...defaultRangeExtractor(range), ...kept])]
        .filter((index) => index < urls.length)
        .toSorted((a, b) => a - b);
    },
  });
  return (
    <div ref={box} className="max-h-[60vh] overflow-y-auto">
      <ul
        aria-label={`Files in ${folder}`}
        className="relative"
        style={{ height: rows.getTotalSize() }}
      >
        {rows.getVirtualItems().map(({ index, key, start }) => (
          <li
            key={key}
            ref={rows.measureElement}
            data-index={index}
            aria-setsize={urls.length}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${start}px)` }}
            className="absolute inset-x-0 top-0"
          >
            <FileRow folder={folder} url={String(key)} />
          </li>
        ))}
      </ul>
    </div>
  );
}
