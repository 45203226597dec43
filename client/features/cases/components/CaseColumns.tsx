import { ColumnHeader } from '../../../ui/ColumnHeader.tsx';
import { cx } from '../../../ui/cx.ts';
import { TableHead } from '../../../ui/TableHead.tsx';

/** The columns by the width of the table: name and SOL on a phone, then the team, then all. */
export const COLUMNS_CLASS = cx(
  '[--columns:minmax(0,1fr)_6.75rem]',
  '@min-[30rem]:[--columns:minmax(0,1fr)_6.75rem_5.5rem_4.25rem_1.75rem]',
  '@min-[42rem]:[--columns:minmax(0,1fr)_6.5rem_5.25rem_3.75rem_4rem_4.25rem_3.25rem_1.75rem]',
  '@min-[62rem]:[--columns:minmax(0,2.3fr)_8.25rem_5.5rem_4rem_4.5rem_minmax(0,2.3fr)_4.5rem_1.75rem]',
);
/** Narrow tables have tighter rows. */
export const GAP_CLASS = 'max-xl:gap-x-3';
export const MIDDLE_CLASS = 'hidden @min-[30rem]:block';
export const WIDE_CLASS = 'hidden @min-[42rem]:block';

/** The table's header. `top` is the height in pixels of what covers the page above it. */
export function CaseColumns({ top }: { top: number }) {
  return (
    <TableHead
      style={{ top }}
      className={cx(
        GAP_CLASS,
        'before:absolute before:-inset-x-2.5 before:inset-y-0 before:-z-10 before:bg-paper',
      )}
    >
      <ColumnHeader>Case</ColumnHeader>
      <ColumnHeader>SOL</ColumnHeader>
      <ColumnHeader className={MIDDLE_CLASS}>Status</ColumnHeader>
      <ColumnHeader align="end" className={WIDE_CLASS}>
        Days open
      </ColumnHeader>
      <ColumnHeader className={WIDE_CLASS}>Type</ColumnHeader>
      <ColumnHeader className={MIDDLE_CLASS}>Assigned</ColumnHeader>
      <ColumnHeader className={WIDE_CLASS}>Files</ColumnHeader>
      <ColumnHeader className={MIDDLE_CLASS}>
        <span className="sr-only">Assistant</span>
      </ColumnHeader>
    </TableHead>
  );
}
