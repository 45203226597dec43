import type { Storage } from '@matterdesk/contract/storage.ts';
import { cx } from '../../../ui/cx.ts';
import { sizeInWords } from '../../../ui/size-in-words.ts';
import { partsOf } from '../rules.ts';

const COLORS = { files: 'bg-accent', trash: 'bg-ink-3', free: 'bg-line' };

/** What the room is used for, as a bar over its figures. */
export function RoomBar({ storage }: { storage: Storage }) {
  const parts = partsOf(storage);
  return (
    <>
      <div aria-hidden="true" className="flex h-2 gap-0.5 overflow-hidden rounded-full">
        {parts.map(({ kind, bytes, share }) =>
          bytes > 0 ? (
            <div key={kind} style={{ flexGrow: share }} className={cx('min-w-1', COLORS[kind])} />
          ) : null,
        )}
      </div>
      <dl className="mt-3 flex flex-wrap gap-x-8 gap-y-2">
        {parts.map(({ kind, label, bytes }) => (
          <div key={kind} className="flex items-baseline gap-2">
            <span
              aria-hidden="true"
              className={cx('size-2 self-center rounded-full', COLORS[kind])}
            />
            <dt className="text-ink-2">{label}</dt>
            <dd className="font-medium tabular-nums">{sizeInWords(bytes)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
