// Answers of a JSON interface as tables: a list of objects, by member.

import { type SourceFile, UnreadableExport } from './row.ts';
import { cleaned } from './cells.ts';
import { COLUMNS_MAX } from './records.ts';

/** Bytes of a file, which is parsed as a whole. */
const FILE_MAX = 50 * 1024 * 1024;

/** @throws UnreadableExport */
export async function readObjects(
  file: SourceFile,
): Promise<{ headers: string[]; rows: Record<string, string>[] }> {
  if (file.size > FILE_MAX) throw new UnreadableExport('The file is larger than 50 MB');
  const parts: Buffer[] = [];
  for await (const chunk of (await file.open()) as AsyncIterable<Buffer>) parts.push(chunk);
  const rows = listIn(parsed(Buffer.concat(parts))).map((one) => flattened(one));
  const headers = new Set(rows.flatMap((row) => Object.keys(row)));
  return { headers: [...headers].slice(0, COLUMNS_MAX), rows };
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  } catch {
    throw new UnreadableExport('The file is not valid JSON');
  }
}

/** The list itself, or the only list among the members of an object. */
function listIn(value: unknown): object[] {
  if (Array.isArray(value)) return value.filter(isObject);
  if (!isObject(value)) return [];
  const lists = Object.values(value).filter((member) => Array.isArray(member));
  const [only] = lists;
  return lists.length === 1 && only?.every(isObject) ? only : [value];
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Members of members are named with a dot; lists of texts are one text. */
function flattened(value: object, prefix = ''): Record<string, string> {
  const cells: Record<string, string> = {};
  for (const [key, member] of Object.entries(value) as [string, unknown][]) {
    const name = prefix + key;
    if (isObject(member) && prefix === '') Object.assign(cells, flattened(member, `${key}.`));
    else {
      const text = textOf(member);
      if (text !== '') cells[name] = text;
    }
  }
  return cells;
}

function textOf(member: unknown): string {
  if (typeof member === 'string') return cleaned(member);
  if (typeof member === 'number' || typeof member === 'boolean') return String(member);
  if (Array.isArray(member) && member.every((one) => typeof one !== 'object'))
    return member.map(String).join(', ');
  return member === null ? '' : JSON.stringify(member);
}
