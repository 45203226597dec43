import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { aiRoutes } from '@matterdesk/contract/ai.ts';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { fileRoutes, type Library } from '@matterdesk/contract/files.ts';
import type { Route, RouteReply } from '@matterdesk/contract/route.ts';
import { buildApp } from '@matterdesk/server/app.ts';
import { readConfig } from '@matterdesk/server/config.ts';
import type { Context } from '@matterdesk/server/context.ts';
import type { Actor } from '@matterdesk/server/core/actor.ts';
import { openPool } from '@matterdesk/server/db/connect.ts';
import { startEmbeddedPostgres } from '@matterdesk/server/db/embedded/start.ts';
import { migrate } from '@matterdesk/server/db/migrate.ts';
import { DiskBlobStore } from '@matterdesk/server/integrations/blobs/disk.ts';
import { createLog } from '@matterdesk/server/log.ts';
import { type CallOptions, createClient } from '@matterdesk/server/testing/client.ts';
import { newCase } from '@matterdesk/server/testing/factories.ts';

/** An installation of its own with a signed-in user and an open case. */
export type Workplace = {
  context: Context;
  actor: Actor;
  caseId: string;
  /** Address of its pages, and the account that may sign in there. */
  origin: string;
  signIn: { email: string; password: string };
  /** Calls a route; `place` fills its parameters. Throws on refusal. */
  call: <R extends Route>(route: R, sent?: RequestOptions<R>) => Promise<RouteReply<R>>;
  /** @returns URLs in the order of the files */
  upload: (folder: string, files: readonly Upload[]) => Promise<string[]>;
  library: () => Promise<Library>;
  /** First row of a query. */
  query: (text: string, values?: unknown[]) => Promise<Record<string, unknown>>;
  close: () => Promise<void>;
};

type RequestOptions<R extends Route> = Omit<CallOptions<R>, 'token'>;
type Upload = { name: string; bytes: Blob };

const WHOSE = { firstName: 'Eva', lastName: 'Luator', phoneNumber: '1 555 010 2030' };
const SIGN_IN = { email: 'eva@firm.example', password: 'correct horse battery' };

/** The real application on its own database, in a temporary directory. */
export async function openWorkplace(): Promise<Workplace> {
  const directory = await mkdtemp(path.join(tmpdir(), 'matterdesk-eval-'));
  const database = await startEmbeddedPostgres({
    directory: path.join(directory, 'postgres'),
    log: () => undefined,
    onProgress: () => undefined,
  });
  const pool = openPool(database.connection, () => undefined);
  const blobs = await DiskBlobStore.open(path.join(directory, 'files'));
  const { PATH = '', ...env } = process.env;
  const own = { PATH, DATA_DIR: directory, REGISTRATION: 'open', LOG_LEVEL: 'silent' };
  const config = readConfig({ ...pickModel(env), ...own });
  const app = await buildApp({
    config,
    secretKey: '0'.repeat(64),
    pool,
    listening: pool,
    blobs,
    log: createLog('silent'),
  });
  await migrate(app.db);
  await app.startJobs();
  await app.http.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.http.server.address() as AddressInfo;
  const signedIn = await signIn(`http://127.0.0.1:${port}`);
  return {
    ...signedIn,
    context: app.context,
    query: async (text, values) =>
      (await pool.query(text, values)).rows[0] as Record<string, unknown>,
    async close() {
      await app.http.close();
      await pool.end();
      await database.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Passes only the model's variables through. */
function pickModel(env: NodeJS.ProcessEnv) {
  const names = ['OPENAI_BASE_URL', 'OPENAI_API_KEY', 'CHAT_MODEL', 'EMBEDDING_MODEL'];
  return Object.fromEntries(names.map((name) => [name, env[name]]));
}

async function signIn(origin: string) {
  let token = '';
  const client = createClient(origin);
  const call: Workplace['call'] = async <R extends Route>(route: R, sent?: RequestOptions<R>) => {
    const { status, message, body, text } = await client.call(route, { ...sent, token });
    if (status >= 400 && status !== 409) throw new Error(`${route.path}: ${message}`);
    return route.bare ? (JSON.parse(text) as RouteReply<R>) : body;
  };
  await call(accountRoutes.register, { body: { ...WHOSE, ...SIGN_IN, role: 'admin' } });
  const me = await call(accountRoutes.login, { body: SIGN_IN });
  token = me.token;
  const matter = newCase({ caseName: 'Evaluation', caseNo: 'E-1' });
  const caseId = (await call(caseRoutes.openCase, { body: matter })).case.id;
  const actor = { ...me, sessionId: '', socketId: undefined, requestId: '' };
  return {
    actor,
    caseId,
    origin,
    signIn: SIGN_IN,
    call,
    library: () => call(fileRoutes.listFiles, { params: { caseId } }),
    async upload(folder: string, files: readonly Upload[]) {
      const body = new FormData();
      body.set('caseId', caseId);
      body.set('folder', folder);
      for (const { name, bytes } of files) body.append('attachments', bytes, name);
      const headers = { 'x-auth-token': token };
      const { path: where } = fileRoutes.uploadFiles;
      const reply = await client.request(where, { method: 'POST', headers, body });
      if (!reply.body) throw new Error(reply.message);
      return (reply.body as { urls: string[] }).urls;
    },
  };
}

export function placeOf(url: string): { folder: string; name: string } {
  const [name = '', folder = ''] = url.split('/').toReversed().map(decodeURIComponent);
  return { folder, name };
}

/**
 * Trains files and waits until each is trained or failed.
 * @returns failed URLs with their reasons
 */
export async function trainAll(
  place: Workplace,
  urls: readonly string[],
): Promise<Map<string, string>> {
  for (const url of urls) {
    const { folder, name } = placeOf(url);
    const body = { case_id: place.caseId, folder_to_download: folder, file_name: name };
    const { status, message } = await place.call(aiRoutes.train, { body });
    if (status !== '200') throw new Error(`${name}: ${message}`);
  }
  for (;;) {
    const { training, details } = await place.library();
    if (!urls.some((url) => training[url] === 'training')) {
      const failed = urls.filter((url) => training[url] !== 'trained');
      return new Map(failed.map((url) => [url, details[url]?.training.error ?? 'not trained']));
    }
    // Listing thousands of files is expensive.
    await new Promise((resolve) => setTimeout(resolve, urls.length > 50 ? 2000 : 200));
  }
}

/** Adds active cases 'B-1', 'B-2' …, with numbers of their clients formatted the way people write them. */
export async function plantCases({ query }: Workplace, count: number): Promise<void> {
  await query(`insert into base.cases (case_name, case_no, case_no_key, status_type, status, type, judge,
      date_of_opening, managing_attorney, doi, sol, days_open, client_name, client_phone_number,
      client_email, client_address, counsel_organization, counsel_name, counsel_phone_number,
      counsel_email, counsel_address, search_text)
    select 'Case ' || n, 'B-' || n, 'b-' || n, 'Active', 'ADR', 'PI', 'Stone', '2025-01-01', 'Hopper',
      '2025-01-01', '2027-01-01', 0, 'Client ' || n, '(212) 555-' || lpad(n::text, 4, '0'), 'a@b.example',
      'x', 'y', 'Counsel ' || n, '1 646 ' || lpad(n::text, 7, '0'), 'c@d.example', 'z', 'case ' || n
    from generate_series(1, ${count}) n`);
}
