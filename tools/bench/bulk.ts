import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { ImportReport, NewCase } from '@matterdesk/contract/cases.ts';
import type { Product } from './firm.ts';
import { peakMemory } from './footprint.ts';
import { HttpClient } from './http-client.ts';
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

type Place = { product: Product; token: string };

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
async function watch(name: string, product: Product, work: () => Promise<number>): Promise<Bulk> {
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
  if (!found) throw new Error('The server does not report how late its event loop is');
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
  const { assignedUsers: _, contacts: __, limitation: ___, ...rest } = matter;
  const { clientInfo, opposingCounselInfo, ...fields } = rest;
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

const BOUNDARY = 'matterdesk-bench';
const BLOCK = randomBytes(1024 * 1024);

/** Uploads and downloads one large file. */
export async function uploadAndRead(place: Place, megabytes: number): Promise<Bulk[]> {
  const { product, token } = place;
  const client = new HttpClient(product.port, 1);
  const { body } = await client.ask({ path: '/api/v1/cases?limit=1', token });
  const { cases } = (JSON.parse(body.toString()) as { body: { cases: { id: string }[] } }).body;
  const caseId = cases[0]?.id ?? '';
  let url = '';
  const up = await watch(`upload of one file of ${megabytes} MiB`, product, async () => {
    url = await upload(place, caseId, megabytes);
    return megabytes * BLOCK.length;
  });
  const down = await watch('the same file read', product, () => read(place, url));
  return [up, down];
}

/** @returns the file's URL */
async function upload({ product, token }: Place, caseId: string, megabytes: number) {
  const asked = request({
    port: product.port,
    method: 'POST',
    path: '/api/v1/files/uploadFile',
    headers: {
      'x-auth-token': token,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
    },
  });
  const answered = once(asked, 'response');
  asked.write(field('caseId', caseId) + field('folder', 'Bench'));
  asked.write(head('attachments', '; filename="large.bin"'));
  for (let sent = 0; sent < megabytes; sent += 1)
    if (!asked.write(BLOCK)) await once(asked, 'drain');
  asked.end(`\r\n--${BOUNDARY}--\r\n`);
  const [reply] = (await answered) as [IncomingMessage];
  let text = '';
  for await (const chunk of reply.setEncoding('utf8')) text += String(chunk);
  if (reply.statusCode !== 201) throw new Error(`The upload was refused: ${text}`);
  return (JSON.parse(text) as { body: { urls: string[] } }).body.urls[0] ?? '';
}

function field(name: string, value: string): string {
  return `${head(name, '')}${value}\r\n`;
}

function head(name: string, more: string): string {
  return `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`;
}

/** @returns bytes received */
async function read({ product, token }: Place, path: string): Promise<number> {
  const asked = request({ port: product.port, path, headers: { 'x-auth-token': token } });
  asked.end();
  const [reply] = (await once(asked, 'response')) as [IncomingMessage];
  let bytes = 0;
  for await (const chunk of reply) bytes += (chunk as Buffer).length;
  return bytes;
}
