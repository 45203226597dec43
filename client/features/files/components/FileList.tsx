import { cx } from '../../../ui/cx.ts';
import { useRows } from '../../../ui/use-rows.ts';
import { FileRow } from './FileRow.tsx';
import { useLibrary } from './use-library.ts';

const ROW_HEIGHT = 38;
/** A longer list scrolls by itself. */
const SHORT = 100;

interface FileListProps {
  folder: string;
  urls: readonly string[];
}

/** The files of an open folder. */
export function FileList({ folder, urls }: FileListProps) {
  const { caseId } = useLibrary();
  const { items, measure, rowsProps } = useRows<HTMLUListElement>({
    list: `files ${caseId} ${folder}`,
    ids: urls,
    rowHeight: ROW_HEIGHT,
  });
  return (
    <div data-scroller className={cx(urls.length > SHORT && 'max-h-[60vh] overflow-y-auto')}>
      <ul {...rowsProps} aria-label={`Files in ${folder}`} className="relative">
        {items.map(({ id, index, offset }) =>
          id === undefined ? null : (
            <li
              key={id}
              ref={measure}
              data-index={index}
              data-row={id}
              aria-setsize={urls.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${offset}px)` }}
              className="absolute inset-x-0 top-0"
            >
              <FileRow folder={folder} url={id} />
            </li>
          ),
        )}
      </ul>
    </div>
  );
}
