// Reads a stranger's workbook in a confined process, which the parent may kill at any time.

import { read, SSF, utils, type CellObject, type WorkBook } from '@e965/xlsx';
import { receiveTask, send } from '../confinement/task.ts';
import { refuseBombs } from '../documents/zip-guard.ts';
import type { Order, Reply } from './tables.ts';

type Parts = { y: number; m: number; d: number; H: number; M: number; S: number };
const { is_date: isDate, parse_date_code: toParts } = SSF as {
  is_date: (format: string) => boolean;
  parse_date_code: (serial: number, options: { date1904: boolean }) => Parts | null;
};

/** Rows of a frame. */
const AT_ONCE = 200;
const MAX_ROWS = 1_048_576;
const MAX_UNPACKED_BYTES = 500 * 1024 * 1024;
/** First bytes of .xlsx and .xls files. */
const ZIP_OR_OLE = new Set(['504b', 'd0cf']);

function say(reply: Reply): Promise<void> {
  return send(JSON.stringify(reply));
}

async function work(): Promise<void> {
  const { order, body } = await receiveTask<Order>();
  const workbook = await open(body, order);
  for (const name of workbook.SheetNames)
    if (order.sheet === null || order.sheet === name) await sendSheet(workbook, name, order);
  await say({ type: 'end' });
}

async function open(bytes: Buffer, { rows }: Order): Promise<WorkBook> {
  const kind = bytes.subarray(0, 2).toString('hex');
  if (!ZIP_OR_OLE.has(kind)) throw new Error('no workbook');
  if (kind === '504b') await refuseBombs(bytes, 'a spreadsheet', MAX_UNPACKED_BYTES);
  return read(bytes, {
    dense: true,
    cellDates: false,
    cellNF: true,
    cellHTML: false,
    cellFormula: false,
    sheetRows: Math.min(rows ?? MAX_ROWS, MAX_ROWS),
  });
}

async function sendSheet(workbook: WorkBook, name: string, { columns }: Order): Promise<void> {
  const sheet = workbook.Sheets[name];
  const range = sheet?.['!ref'];
  if (!sheet || range === undefined) return;
  const is1904 = workbook.Workbook?.WBProps?.date1904 === true;
  const first = utils.decode_range(range).s.r;
  const lines = sheet['!data'] ?? [];
  await say({ type: 'sheet', name });
  for (let at = first; at < lines.length; at += AT_ONCE) {
    // Rows and cells without content are holes.
    const rows = Array.from(lines.slice(at, at + AT_ONCE), (line: CellObject[] | undefined) =>
      Array.from(line ?? [], (cell) => textOf(cell, is1904)).slice(0, columns),
    );
    await say({ type: 'rows', from: at + 1, rows });
  }
}

/** As it is displayed, but for dates, which say their order. */
function textOf(cell: CellObject | undefined, is1904: boolean): string {
  if (!cell || cell.t === 'e' || cell.t === 'z') return '';
  if (cell.t === 'n' && typeof cell.v === 'number' && isDate(String(cell.z ?? '')))
    return dateOf(cell.v, is1904);
  // Long numbers are displayed as powers of ten.
  const isPlain = cell.t === 'n' && (cell.z === undefined || cell.z === 'General');
  return String((isPlain ? cell.v : cell.w) ?? cell.v ?? '');
}

function dateOf(serial: number, is1904: boolean): string {
  const date = toParts(serial, { date1904: is1904 });
  if (!date) return String(serial);
  const two = (part: number) => String(part).padStart(2, '0');
  const day = `${String(date.y).padStart(4, '0')}-${two(date.m)}-${two(date.d)}`;
  const time = `${two(date.H)}:${two(date.M)}:${two(Math.floor(date.S))}`;
  if (serial < 1) return time;
  return time === '00:00:00' ? day : `${day} ${time}`;
}

await work().catch(async (error: unknown) => {
  const isLocked = error instanceof Error && /password|encrypt/i.test(error.message);
  await say({ type: 'unreadable', isLocked });
});
process.exit(0);
