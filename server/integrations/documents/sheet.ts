import { read, utils, type WorkSheet } from '@e965/xlsx';
import { reasons, UnreadableDocument } from './messages.ts';
import { PagelessText } from './pageless.ts';
import { refuseBombs } from './zip-guard.ts';

const WHAT = 'a spreadsheet';
const ZIP_OR_OLE = new Set(['504b', 'd0cf']);
/** Row limit of a sheet, since formats can extend far beyond the content. */
const MAX_ROWS = 200_000;

/** Every row of every sheet as displayed: dates as dates, amounts as amounts. */
export async function readSheets(bytes: Buffer): Promise<PagelessText> {
  if (bytes.subarray(0, 2).toString('latin1') === 'PK') await refuseBombs(bytes, WHAT);
  const { SheetNames: names, Sheets: sheets } = open(bytes);
  const out = new PagelessText();
  for (const [index, name] of names.entries()) {
    const sheet = sheets[name];
    if (!sheet?.['!ref']) continue;
    const place = `Sheet ${index + 1}`;
    out.add({ text: name, level: 1, location: place });
    addRows(out, sheet, place);
  }
  return out;
}

function open(bytes: Buffer) {
  if (!ZIP_OR_OLE.has(bytes.subarray(0, 2).toString('hex')))
    throw new UnreadableDocument(reasons.broken(WHAT));
  try {
    return read(bytes, {
      dense: true,
      cellDates: false,
      sheetRows: MAX_ROWS,
      dateNF: 'yyyy-mm-dd',
    });
  } catch (error) {
    const isLocked = error instanceof Error && /password|encrypt/i.test(error.message);
    throw new UnreadableDocument(isLocked ? reasons.encrypted : reasons.broken(WHAT));
  }
}

function addRows(out: PagelessText, sheet: WorkSheet, place: string): void {
  const rows = utils.sheet_to_json<string[]>(sheet, { header: 1, raw: false, defval: '' });
  const first = utils.decode_range(sheet['!ref'] ?? 'A1').s.r;
  for (const [index, row] of rows.entries()) {
    const cells = row.map((cell) => cell.replaceAll(/\s+/g, ' ').trim());
    const text = cells.join('\t');
    const isTitles = index === 0 && cells.length > 1 && cells.every((cell) => !/\d/.test(cell));
    out.add(
      { text, level: isTitles ? 2 : 0, location: `${place}, row ${first + index + 1}` },
      '\n',
    );
  }
}
