import * as z from 'zod/mini';
import {
  caseColumns,
  columnOfHeader,
  type DateForm,
  dateForms,
} from '@matterdesk/contract/case-import.ts';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { invalidField } from '../../core/refusal.ts';
import type { CsvUpload, NumberedRow } from '../../http/csv.ts';

/** How a file is read; without a mapping its headers are recognized, without a form its dates. */
export type Reading = { mapping?: Record<string, string>; dates?: DateForm };

const MappingSchema = z.record(z.string(), z.string());
const DAYS = ['dateOfOpening', 'DOI', 'SOL'];
const NUMBERS = /^\s*(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})\s*$/;

/** @throws Refusal invalidInput */
export function readFields({ mapping, dates }: Record<string, string>): Reading {
  const form = dateForms.find((one) => one === dates);
  if (dates !== undefined && !form)
    throw invalidField('dates', `Dates must be one of ${dateForms.join(', ')}`);
  return {
    ...(mapping !== undefined && { mapping: readMapping(mapping) }),
    ...(form && { dates: form }),
  };
}

function readMapping(text: string): Record<string, string> {
  const parsed = MappingSchema.safeParse(parse(text));
  if (!parsed.success) throw invalidField('mapping', 'Mapping must be an object of headers');
  const unknown = Object.keys(parsed.data).find((column) => !caseColumns.includes(column));
  if (unknown !== undefined) throw invalidField('mapping', 'Mapping has an unknown field');
  return parsed.data;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Limits and required columns of an import, and the text fields that come before the file. */
export const csvUpload: CsvUpload = {
  bytes: caseRoutes.importCases.fileBytes,
  rows: 20_000,
  fields: ['mapping', 'dates'],
  columnsOf(headers, fields) {
    const { mapping } = readFields(fields);
    if (!mapping) return headers.map(columnOfHeader);
    const missing = Object.values(mapping).find((header) => !headers.includes(header));
    if (missing !== undefined) throw invalidField('mapping', 'The file has no such header');
    const columns = Object.entries(mapping);
    return headers.map((header) => columns.find(([, mapped]) => mapped === header)?.[0] ?? null);
  },
  required: caseColumns.filter((column) => column !== 'assignedUsers'),
};

/** The form of a file's dates: by a day that can be no month, else as in the US. */
export function findDateForm(rows: readonly NumberedRow[]): DateForm {
  const firsts = rows.flatMap(({ cells }) =>
    DAYS.flatMap((column) => NUMBERS.exec(cells[column] ?? '')?.[1] ?? []).map(Number),
  );
  if (firsts.length === 0) return 'ymd';
  return firsts.some((first) => first > 12) ? 'dmy' : 'mdy';
}

/** The same row with its dates as 2026-03-02; other cells stay, and are refused later. */
export function withDays(row: NumberedRow, form: DateForm): NumberedRow {
  if (form === 'ymd') return row;
  const cells = { ...row.cells };
  for (const column of DAYS) {
    const [, first = '', second = '', year] = NUMBERS.exec(cells[column] ?? '') ?? [];
    if (year === undefined) continue;
    const [month, day] = form === 'mdy' ? [first, second] : [second, first];
    cells[column] = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  }
  return { ...row, cells };
}
