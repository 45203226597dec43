import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { watch, type Bulk, type Place } from './bulk.ts';
import { HttpClient } from './http-client.ts';

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
