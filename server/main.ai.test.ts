import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { aiRoutes, type Answer } from '@matterdesk/contract/ai.ts';
import { openCase, registerAdmin } from './testing/factories.ts';
import { startForeignPostgres, type ForeignPostgres } from './testing/foreign-postgres.ts';
import { freePort, removeAll, startProcess, type ServerProcess } from './testing/process.ts';
import { settle, train, upload } from './testing/training.ts';

const SECRET_KEY = '0123456789abcdef'.repeat(4);
const PREFLIGHT = {
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'content-type,x-auth-token',
};

let base: string;
let postgres: ForeignPostgres;
const started: ServerProcess[] = [];

beforeAll(async () => {
  base = mkdtempSync(path.join(os.tmpdir(), 'matterdesk-ai-'));
  postgres = await startForeignPostgres();
});
afterEach(async () => {
  for (const server of started.splice(0)) {
    server.disconnect();
    await server.kill();
  }
});
afterAll(async () => {
  await postgres.drop();
  removeAll(base);
});

async function start(env: Record<string, string>, args: string[] = []) {
  const server = startProcess({ env: { DATA_DIR: path.join(base, 'data'), ...env }, args });
  started.push(server);
  return server;
}

/** The server of the pages, and a separate AI service. */
async function startBoth() {
  const [port, aiPort] = [String(await freePort()), String(await freePort())];
  const publicUrl = `http://127.0.0.1:${port}`;
  const env = {
    DATABASE_URL: postgres.url,
    SECRET_KEY,
    PUBLIC_URL: publicUrl,
    AI_URL: `http://127.0.0.1:${aiPort}`,
  };
  const pages = await start({ ...env, PORT: port });
  await pages.ready;
  const ai = await start({ ...env, PORT: aiPort }, ['ai']);
  await ai.ready;
  return { pages, ai, publicUrl };
}

const preflight = (server: ServerProcess, origin: string) =>
  fetch(server.url + aiRoutes.ask.path, { method: 'OPTIONS', headers: { origin, ...PREFLIGHT } });

test('trains and answers for the pages of another server', async () => {
  const { pages, ai, publicUrl } = await startBoth();
  const page = await pages.request('/dashboard');
  expect(page.text).toContain(`<meta name="ai-url" content="${ai.url}/ai" />`);
  expect(page.headers.get('content-security-policy')).toMatch(
    new RegExp(`connect-src [^;]*${ai.url}(;| )`),
  );

  const admin = await registerAdmin(pages);
  const caseId = (await openCase(pages, admin.token)).id;
  const file = { caseId, folder: 'Leases', name: 'Lease.txt' };
  const text = 'The tenant has paid a security deposit of $2,900 to the landlord.';
  await upload({ url: pages.url, token: admin.token }, file, Buffer.from(text));
  const socket = await pages.socket(admin.token);
  const trained = new Promise((resolve) =>
    socket.on('file.trainingChanged', ({ training }) => {
      if (training.status === 'trained') resolve(undefined);
    }),
  );
  // A training that is requested from the server of the pages also runs in the AI service.
  await train({ url: pages.url, token: admin.token }, file);
  expect(await settle({ url: ai.url, token: admin.token }, file)).toMatchObject({ status: 201 });
  await trained;

  const question = { case_id: caseId, folder: 'Leases', file_name: 'Lease.txt' };
  const reply = await fetch(ai.url + aiRoutes.ask.path, {
    method: 'POST',
    headers: {
      origin: publicUrl,
      'x-auth-token': admin.token,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
    body: JSON.stringify({ ...question, question: 'How much is the security deposit?' }),
  });
  expect(reply.headers.get('access-control-allow-origin')).toBe(publicUrl);
  const done = /event: done\ndata: (.+)\n/.exec(await reply.text())?.[1] ?? '';
  expect((JSON.parse(done) as Answer).answer).toContain('$2,900');
});

test('allows calls from the pages of PUBLIC_URL only, and serves only the AI', async () => {
  const { pages, ai, publicUrl } = await startBoth();
  const own = await preflight(ai, publicUrl);
  expect(own.status).toBe(204);
  expect(own.headers.get('access-control-allow-origin')).toBe(publicUrl);
  expect(own.headers.get('access-control-allow-headers')).toContain('x-auth-token');
  for (const server of [ai, pages]) {
    const foreign = await preflight(server, 'https://elsewhere.example');
    expect(foreign.ok).toBe(false);
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
  }
  expect((await ai.request('/api/v1/cases')).status).toBe(404);
  expect((await ai.request('/dashboard')).status).toBe(404);
  expect((await ai.request('/readyz')).status).toBe(200);
  const stranger = await ai.call(aiRoutes.ask, { token: 'unknown', body: {} });
  expect(stranger.status).toBe(400);
});

test('an AI host does not start without DATABASE_URL', async () => {
  const ai = await start({ PORT: String(await freePort()) }, ['ai']);
  expect((await ai.exited).code).toBe(1);
  expect(ai.output().stderr).toBe(
    'DATABASE_URL is required by npm run ai: the embedded database serves one process alone\n',
  );
});
