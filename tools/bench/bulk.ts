import type { ImportReport, NewCase } from '@matterdesk/contract/cases.ts';
import { HttpClient } from './http-client.ts';
import { peakMemory } from './memory.ts';
import type { Product } from './product.ts';
import { newCase } from './writing.ts';

/** Duration, size, memory growth of the server process and event loop delay of a bulk operation. */
export type Bulk = {
  name: string;
  seconds: number;
  megabytes: number;
  /** MB. */
  growth: number;
  /** Milliseconds, 99th percentile. */
  lag: number;
};

export type Place = { product: Product; token: string };

/** The complete list in one reply. */
export async function readWholeList({ product, token }: Place): Promise<Bulk> {
  const client = new HttpClient(product.port, 1);
  return watch('GET /cases, the whole list', product, async () => {
    const { body } = await client.ask({ path: '/api/v1/cases', token });
    return body.length;
  });
}

/** @param rows number of cases in the file */
export async function importCases({ product, token }: Place, rows: number): Promise<Bulk> {
  const client = new HttpClient(product.port, 1);
  const raw = multipart(toCsv(rows));
  return watch(`import of ${rows.toLocaleString('en-US')} rows`, product, async () => {
    const asked = { method: 'POST', path: '/api/v1/cases/import', token, raw };
    const { created, errors } = await client.askJson<ImportReport>(asked);
    if (created !== rows) throw new Error(`${created} cases were made: ${errors[0]?.message}`);
    return raw.bytes.length;
  });
}

/** @param work returns the bytes transferred */
export async function watch(
  name: string,
  product: Product,
  work: () => Promise<number>,
): Promise<Bulk> {
  await eventLoopLag(product.port);
  const begun = performance.now();
  const { result: bytes, before, most } = await peakMemory(product.pid, work);
  const seconds = (performance.now() - begun) / 1000;
  const lag = await eventLoopLag(product.port);
  return { name, seconds, megabytes: bytes / 1e6, growth: most - before, lag };
}

/** Milliseconds, 99th percentile since the last call. */
async function eventLoopLag(port: number): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const found = /^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(metrics)?.[1];
  if (!found) throw new Error('The server does not tell how late its event loop is');
  return Number(found) * 1000;
}

/** Each row of a client of its own. */
function toCsv(rows: number): string {
  const mark = Date.now().toString(36);
  const lines = Array.from({ length: rows }, (_, row) => columnsOf(newCase(`${mark}-${row}`, row)));
  const names = lines[0]?.map(([name]) => name) ?? [];
  return [names, ...lines.map((columns) => columns.map(([, value]) => cell(value)))]
    .map((cells) => cells.join(','))
    .join('\r\n');
}

function columnsOf(matter: NewCase): [string, string | number][] {
  const { assignedUsers: _, contacts: __, clientInfo, opposingCounselInfo, ...fields } = matter;
  const parties = { clientInfo, opposingCounselInfo };
  const nested = Object.entries(parties).flatMap(([party, members]) =>
    Object.entries(members).map(([name, value]): [string, string] => [`${party}.${name}`, value]),
  );
  return [...Object.entries(fields), ...nested];
}

function cell(value: string | number): string {
  return `"${String(value).replaceAll('"', '""')}"`;
}

function multipart(csv: string) {
  const boundary = 'matterdesk-bench';
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="cases.csv"\r\ncontent-type: text/csv\r\n\r\n`;
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.from(`${head}${csv}\r\n--${boundary}--\r\n`),
  };
}
