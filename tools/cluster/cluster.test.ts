import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { BUILD_STAMP } from '@matterdesk/server/http/pages.ts';
import {
  startTraffic,
  listen,
  type Traffic,
  type Listener,
} from '@matterdesk/server/testing/busy.ts';
import type { Client } from '@matterdesk/server/testing/client.ts';
import { eventually } from '@matterdesk/server/testing/eventually.ts';
import {
  openCase,
  registerAdmin,
  type SignedInPerson,
  PASSWORD,
} from '@matterdesk/server/testing/factories.ts';
import { sendFile } from '@matterdesk/server/testing/uploads.ts';
import { root } from '../checks/run.ts';
import { isCephInstalled } from '../checks/services.ts';
import { findBrowser } from '../e2e/support/browser.ts';
import { startCluster, type Cluster } from './cluster.ts';

const MIGRATION = `import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql\`alter table base.cases add column next_release text\`.execute(db);
}
`;

/** A copy of this checkout with another client and one more column: what an update brings. */
function makeNextRelease(home: string): string {
  const next = join(home, 'next-release');
  mkdirSync(next);
  for (const part of ['package.json', 'server', 'contract', 'client/dist'])
    cpSync(join(root, part), join(next, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(next, 'node_modules'));
  writeFileSync(join(next, BUILD_STAMP), 'the next release');
  writeFileSync(join(next, 'server/db/migrations/9999-next-release.ts'), MIGRATION);
  const list = join(next, 'server/db/migrate.ts');
  const before = readFileSync(list, 'utf8');
  const start = 'const migrations: Record<string, Migration> = {\n';
  if (!before.includes(start)) throw new Error(`${list} has no list of migrations`);
  const entry = `  '9999-next-release': nextRelease,\n`;
  const after = before.replace(start, start + entry);
  writeFileSync(
    list,
    `import * as nextRelease from './migrations/9999-next-release.ts';\n${after}`,
  );
  return next;
}

/** Unsaved text in a dialog. */
const TYPED = 'Typed before the update';

/** Someone with a page open, in the middle of a form. */
type Visit = {
  /** Requests that failed or were refused, and errors on the page. */
  failures: string[];
  isOfferedReload: () => Promise<boolean>;
  typed: () => Promise<string>;
  /** Leaves the form and accepts the offer. */
  reload: () => Promise<void>;
  /** The build that the page names. */
  build: () => Promise<string | null>;
  close: () => Promise<void>;
};

async function openVisit(url: string, email: string): Promise<Visit> {
  const browser = await chromium.launch(await findBrowser());
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const failures: string[] = [];
  page.on('pageerror', (error) => failures.push(error.message));
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? '';
    // The page itself gives up requests when it is left or asks for something else.
    if (why !== 'net::ERR_ABORTED') failures.push(`${request.method()} ${request.url()} ${why}`);
  });
  page.on('response', (reply) => {
    if (reply.status() >= 400) failures.push(`${reply.status()} ${reply.url()}`);
  });
  await page.goto(url);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Login' }).click();
  await page.waitForURL('**/dashboard');
  await page.getByRole('link', { name: 'Matters' }).first().click();
  await page.getByRole('button', { name: 'New Case' }).click();
  const field = page.getByLabel('Case Name');
  await field.fill(TYPED);
  return {
    failures,
    isOfferedReload: () => page.getByText('A new version is available.').isVisible(),
    typed: () => field.inputValue(),
    async reload() {
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Discard' }).click();
      const loaded = page.waitForEvent('load');
      await page.getByRole('button', { name: 'Reload' }).click();
      await loaded;
    },
    build: () => page.locator('meta[name=build]').getAttribute('content'),
    close: () => browser.close(),
  };
}

/** Milliseconds from the promotion of the standby until everything works again. */
const FAILOVER = 15_000;

let cluster: Cluster;
let admin: SignedInPerson;
const listeners: Listener[] = [];

beforeAll(async () => {
  cluster = await startCluster();
  await everyMachineIsReady();
  admin = await registerAdmin(cluster.client);
});
afterEach(async () => {
  for (const { socket } of listeners.splice(0)) socket.disconnect();
  for (const desk of cluster.desks) desk.restore();
  await everyMachineIsReady();
});
afterAll(() => cluster.stop());

function everyMachineIsReady(): Promise<void> {
  return eventually(async () => {
    for (const desk of cluster.desks)
      expect((await desk.server().request('/readyz')).status).toBe(200);
    expect((await cluster.client.request('/readyz')).status).toBe(200);
  });
}

async function connect(...clients: Client[]): Promise<Listener[]> {
  const added = clients.map((client) => listen(client, admin.token));
  listeners.push(...added);
  await eventually(() => expect(added.every(({ socket }) => socket.connected)).toBe(true));
  return added;
}

/** A disconnected socket misses events, so another case is opened for each attempt. */
async function expectNotified(by: Client): Promise<void> {
  await eventually(async () => {
    expect(listeners.every(({ socket }) => socket.connected)).toBe(true);
    const { caseName } = await openCase(by, admin.token);
    await vi.waitFor(() => {
      for (const { received } of listeners) expect(received).toContain(caseName);
    });
  });
}

async function expectWritten({ marker, written }: Traffic): Promise<void> {
  const { body } = await cluster.client.call(caseRoutes.listCases, { token: admin.token });
  const found = body.cases
    .filter(({ judge }) => judge === marker)
    .map(({ caseNo }) => caseNo ?? '');
  expect(found.toSorted()).toEqual(written.toSorted());
}

const isUnderWay = ({ written }: Traffic) =>
  eventually(() => expect(written.length).toBeGreaterThan(20));

test('notifies the users of both machines of a change on either', async () => {
  const servers = cluster.desks.map((desk) => desk.server());
  await connect(...servers, cluster.client);
  for (const server of servers) await expectNotified(server);
});

test.skipIf(!isCephInstalled())(
  'a cluster serves a file from one machine that was uploaded to the other',
  async () => {
    const [here, there] = cluster.desks.map((desk) => desk.server());
    if (!here || !there) throw new Error('two machines');
    const { id } = await openCase(here, admin.token);
    const { token } = admin;
    const file = { name: 'exhibit.txt', bytes: Buffer.from('Exhibit A') };
    const { body } = await sendFile(here, { token, caseId: id, folder: 'Exhibits' }, file);
    const [url = ''] = body?.urls ?? [];
    const found = await there.request(url, { headers: { 'x-auth-token': token } });
    expect(found.text).toBe('Exhibit A');
  },
);

test('a cluster gets the next release on one machine after the other, and no user sees an error', async () => {
  const { desks, client } = cluster;
  const visit = await openVisit(client.url, admin.email);
  const busy = startTraffic([client], admin.token);
  await isUnderWay(busy);
  const next = makeNextRelease(cluster.home);
  for (const desk of desks) {
    const server = desk.server();
    server.signal('SIGTERM');
    expect(await server.exited).toMatchObject({ code: 0 });
    await desk.start(next);
    await everyMachineIsReady();
  }
  const { length } = busy.written;
  await eventually(() => expect(busy.written.length).toBeGreaterThan(length));
  await busy.finish();
  const refused = busy.replies.filter(({ status }) => status !== 200 && status !== 201);
  expect({ refused, lost: busy.lost }).toEqual({ refused: [], lost: [] });
  await expectWritten(busy);
  await eventually(async () => expect(await visit.isOfferedReload()).toBe(true));
  expect(await visit.typed()).toBe(TYPED);
  await visit.reload();
  expect(await visit.build()).toBe('the next release');
  expect(visit.failures).toEqual([]);
  await visit.close();
});

test('a cluster moves the sockets of a machine without network to the other, and loses no acknowledged work', async () => {
  const [lost, other] = cluster.desks;
  const { client } = cluster;
  const spread = await connect(client, client, client, client);
  const wereCut = new Set<Listener>();
  for (const listener of spread) listener.socket.on('disconnect', () => wereCut.add(listener));
  const busy = startTraffic([client], admin.token);
  // Cut amid their transactions, whose locks would keep the other from writing.
  const within = startTraffic([lost.server()], admin.token);
  await isUnderWay(busy);
  await isUnderWay(within);
  lost.cut();
  await eventually(() => expect(wereCut.size).toBeGreaterThan(0));
  await expectNotified(other.server());
  await busy.finish();
  await expectWritten(busy);
  lost.restore();
  await everyMachineIsReady();
  await within.finish();
  await expectWritten(within);
  await connect(lost.server());
  await expectNotified(other.server());
  await expectNotified(lost.server());
});

test('a cluster keeps every acknowledged write when the primary is killed, and goes on by itself', async () => {
  const { databases, desks, client } = cluster;
  const servers = desks.map((desk) => desk.server());
  await connect(...servers);
  const busy = startTraffic([client], admin.token);
  await isUnderWay(busy);
  await databases.primary.program.stop('SIGKILL');
  await databases.standby.query('select pg_promote()');
  await vi.waitFor(
    async () => {
      for (const server of servers) {
        expect((await server.request('/readyz')).status).toBe(200);
        await openCase(server, admin.token);
      }
    },
    { timeout: FAILOVER, interval: 50 },
  );
  const soFar = busy.written.length;
  await eventually(() => expect(busy.written.length).toBeGreaterThan(soFar + 20));
  await busy.finish();
  await expectWritten(busy);
  for (const server of servers) await expectNotified(server);
});
