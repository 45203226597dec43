// Sheets of Excel files, read in a confined process.

import path from 'node:path';
import * as z from 'zod/mini';
import { type ConfinedProcess, StandbyProcess } from '../confinement/confined-process.ts';
import { COLUMNS_MAX } from './records.ts';
import { type SourceFile, UnreadableExport } from './row.ts';

export type Order = {
  /** Null for all. */
  sheet: string | null;
  /** Most rows of a sheet; null for all. */
  rows: number | null;
  columns: number;
  /** Bytes that follow. */
  size: number;
};

const ReplySchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('sheet'), name: z.string() }),
  z.object({
    type: z.literal('rows'),
    /** Number of the first, from 1. */
    from: z.int(),
    rows: z.array(z.array(z.string())),
  }),
  z.object({ type: z.literal('unreadable'), isLocked: z.boolean() }),
  z.object({ type: z.literal('end') }),
]);
export type Reply = z.infer<typeof ReplySchema>;

const MEBIBYTE = 1024 * 1024;
const MAX_WORKBOOK_BYTES = 50 * MEBIBYTE;
const MEMORY_MAX = 900 * MEBIBYTE;
/** Milliseconds between two replies. */
const REPLY_TIMEOUT_MS = 120_000;
const AS_CSV = 'Save it as CSV.';

const program = { script: path.join(import.meta.dirname, 'workbook-child.ts'), heap: 600 };
const spare = new StandbyProcess(program, { longest: 300 * MEBIBYTE, rest: 10_000 });

export type SheetRow = { sheet: string; row: number; cells: string[] };

/**
 * Rows of a workbook, its sheets one after the other; those that are empty are left out.
 * @throws UnreadableExport
 */
export async function* readSheets(
  file: SourceFile,
  { sheet = null, rows = null }: { sheet?: string | null; rows?: number | null },
): AsyncGenerator<SheetRow> {
  if (file.size > MAX_WORKBOOK_BYTES)
    throw new UnreadableExport(`The workbook is larger than 50 MB. ${AS_CSV}`);
  const child = await spare.take();
  const stopWatching = child.watchMemory(MEMORY_MAX, () => child.kill());
  try {
    const order: Order = { sheet, rows, columns: COLUMNS_MAX, size: file.size };
    const fed = child.feed(order, await file.open());
    let name = '';
    for (;;) {
      const reply = await receive(child);
      const broken = reply ? undefined : await fed;
      if (broken) throw broken;
      if (!reply) throw new UnreadableExport(`The workbook takes too much to read. ${AS_CSV}`);
      if (reply.type === 'unreadable') throw new UnreadableExport(reasonOf(reply));
      if (reply.type === 'end') return;
      if (reply.type === 'sheet') ({ name } = reply);
      else
        for (const [index, cells] of reply.rows.entries())
          if (cells.some((cell) => cell.trim() !== ''))
            yield { sheet: name, row: reply.from + index, cells };
    }
  } finally {
    stopWatching();
    child.kill();
  }
}

/** Undefined for a process that ended, takes too long, or sends anything else. */
async function receive(child: ConfinedProcess): Promise<Reply | undefined> {
  const timer = setTimeout(() => child.kill(), REPLY_TIMEOUT_MS);
  try {
    const frame = await child.receive();
    return frame && ReplySchema.parse(JSON.parse(frame.toString('utf8')));
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

function reasonOf({ isLocked }: { isLocked: boolean }): string {
  return isLocked
    ? 'The workbook is password-protected. Save a copy without the password.'
    : `The workbook is damaged or isn’t an Excel file. ${AS_CSV}`;
}
