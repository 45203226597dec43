import type { Intake } from '@matterdesk/contract/intakes.ts';
import { ColumnHeader } from '../../../ui/ColumnHeader.tsx';
import { Table } from '../../../ui/Table.tsx';
import { TableCell } from '../../../ui/TableCell.tsx';
import { TableHead } from '../../../ui/TableHead.tsx';
import { TableRow } from '../../../ui/TableRow.tsx';
import { stageNames } from '../rules.ts';
import { CheckMark } from './CheckMark.tsx';
import { DueMark } from './DueMark.tsx';
import { ResponseMark } from './ResponseMark.tsx';

interface IntakeTableProps {
  intakes: readonly Intake[];
  now: Date;
  openId: string | null;
  onOpen: (id: string) => void;
}

/** The fields of the cards as columns. */
export function IntakeTable({ intakes, now, openId, onOpen }: IntakeTableProps) {
  return (
    <Table
      aria-label="Intakes"
      className="[--columns:minmax(0,1.6fr)_6rem_10.25rem_7.25rem_minmax(0,1.4fr)] max-lg:[--columns:minmax(0,2fr)_minmax(0,1.2fr)_minmax(0,1.2fr)] max-sm:[--columns:minmax(0,1fr)_auto]"
    >
      <TableHead className="max-xl:gap-x-3">
        <ColumnHeader>Name</ColumnHeader>
        <ColumnHeader className="max-lg:hidden">Stage</ColumnHeader>
        <ColumnHeader className="max-sm:hidden">Response</ColumnHeader>
        <ColumnHeader className="max-lg:hidden">Conflicts</ColumnHeader>
        <ColumnHeader>Next step</ColumnHeader>
      </TableHead>
      {intakes.map((intake) => (
        <TableRow
          key={intake.id}
          selected={intake.id === openId}
          onClick={() => onOpen(intake.id)}
          className="cursor-pointer max-xl:gap-x-3"
        >
          <TableCell cut={false}>
            <button
              type="button"
              onClick={() => onOpen(intake.id)}
              className="block max-w-full truncate text-left font-medium"
            >
              {intake.name}
            </button>
            <span className="block truncate text-note text-ink-3">
              {`${intake.number} · ${intake.type ?? 'Unknown'}`}
              {intake.description ? ` · ${intake.description}` : ''}
            </span>
          </TableCell>
          <TableCell className="max-lg:hidden">{stageNames[intake.stage]}</TableCell>
          <TableCell className="max-sm:hidden">
            <ResponseMark intake={intake} now={now} />
          </TableCell>
          <TableCell className="max-lg:hidden">
            <CheckMark check={intake.check} />
          </TableCell>
          <TableCell className="flex justify-between gap-2 text-sm">
            <span className="truncate max-sm:hidden">{intake.nextStep}</span>
            <DueMark dueAt={intake.dueAt} now={now} />
          </TableCell>
        </TableRow>
      ))}
    </Table>
  );
}
