import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AccessMode, accessRoutes } from '@matterdesk/contract/access.ts';
import { type Case, caseRoutes } from '@matterdesk/contract/cases.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import {
  openCase,
  registerAdmin,
  registerUser,
  type SignedInPerson,
} from '../../testing/factories.ts';

const CANARY = 'Quetzalcanary';
const READERS = 200;
const TOGGLES = 3;

let apps: [TestApp, TestApp];
let lead: SignedInPerson;
let reader: SignedInPerson;
let matter: Case;

beforeAll(async () => {
  const first = await startTestApp();
  apps = [first, await startTestApp({ database: first.database })];
  lead = await registerAdmin(first);
  reader = await registerUser(first);
  for (let n = 0; n < 5; n += 1) await openCase(first, lead.token);
  matter = await openCase(first, lead.token, { caseName: CANARY, assignedUsers: [lead.id] });
  for (let n = 0; n < 5; n += 1) await openCase(first, lead.token);
});
afterAll(async () => {
  await apps[1].close();
  await apps[0].close();
});

/** Counts the times in which the matter is restricted for certain; undefined between them. */
let shut: number | undefined;
const over = new AbortController();

async function setMode(mode: AccessMode): Promise<void> {
  const { token } = lead;
  const params = { kind: 'cases', id: matter.id };
  const { body } = await whenFree(() => apps[0].call(accessRoutes.readAccess, { token, params }));
  const { updatedAt } = body.access;
  const change = { mode, people: [], screened: [], reason: 'test', updatedAt };
  const reply = await whenFree(() =>
    apps[0].call(accessRoutes.changeAccess, { token, params, body: change }),
  );
  if (reply.status !== 200) throw new Error(reply.text);
}

/** A process that two hundred readers keep busy may refuse a request, and does nothing of it. */
async function whenFree<Reply extends { status: number }>(
  ask: () => Promise<Reply>,
): Promise<Reply> {
  for (;;) {
    const reply = await ask();
    if (reply.status !== 503) return reply;
  }
}

/** Pages through the list until the end. @returns how often the matter was seen, rightly and wrongly */
async function read(app: TestApp) {
  const seen = { open: 0, shut: 0, pages: 0 };
  while (!over.signal.aborted) {
    let cursor: string | undefined;
    do {
      const before = shut;
      const query = { limit: 4, ...(cursor !== undefined && { cursor }) };
      const { status, text, body } = await app.call(caseRoutes.listCases, {
        token: reader.token,
        query,
      });
      if (status === 503) break;
      // Opened meanwhile: then it may be shown.
      const wasShut = before !== undefined && before === shut;
      if (text.includes(CANARY) && wasShut) seen.shut += 1;
      else if (text.includes(CANARY)) seen.open += 1;
      seen.pages += 1;
      cursor = body.nextCursor ?? undefined;
    } while (cursor !== undefined && !over.signal.aborted);
  }
  return seen;
}

test('access that is toggled under two hundred readers of two processes never leaks', async () => {
  const readers = Array.from({ length: READERS }, (_, n) => read(apps[n % 2 === 0 ? 0 : 1]));
  for (let round = 0; round < TOGGLES; round += 1) {
    await setMode('restricted');
    shut = round;
    const params = { id: matter.id };
    await whenFree(() => apps[1].call(caseRoutes.readCase, { token: lead.token, params }));
    shut = undefined;
    await setMode('open');
  }
  over.abort();
  const seen = await Promise.all(readers);
  const sum = (name: 'open' | 'shut' | 'pages') => seen.reduce((all, one) => all + one[name], 0);
  expect(sum('pages')).toBeGreaterThan(READERS);
  expect(sum('open')).toBeGreaterThan(0);
  expect(sum('shut')).toBe(0);
}, 300_000);
