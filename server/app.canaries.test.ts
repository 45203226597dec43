import { beforeAll, describe, expect, test } from 'vitest';
import { accessRoutes } from '@matterdesk/contract/access.ts';
import { auditRoutes } from '@matterdesk/contract/audit.ts';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { alertRoutes, conflictRoutes } from '@matterdesk/contract/conflicts.ts';
import { contactRoutes } from '@matterdesk/contract/contacts.ts';
import { intakeRoutes, intakeStatRoutes } from '@matterdesk/contract/intake-routes.ts';
import type { Route } from '@matterdesk/contract/route.ts';
import { routes } from '@matterdesk/contract/routes.ts';
import type { SignedInPerson } from './testing/factories.ts';
import { textOf } from './testing/printed.ts';
import { suite } from './testing/suite.ts';
import { plantShared, SECRET_NUMBER, type Shared } from './testing/walled-shared.ts';
import { buildWorld, CANARY, type World } from './testing/walled-world.ts';

type Query = Record<string, string>;
type Asked = { route: Route; path: string };

const outside = ['outsider', 'screened', 'admin'] as const;
/** Users who manage walls read their reasons, and the names of what they are about. */
const forManagers: Route[] = [accessRoutes.readAccess, accessRoutes.listAccess];
/** Widest values of members that a query needs. */
const needed: Query = { from: '2027-02-01', to: '2027-03-31', by: 'source' };
const searched = [CANARY, SECRET_NUMBER, SECRET_NUMBER.replaceAll(/\D/g, '')];

const { app } = suite({});
let world: World;
let shared: Shared;
const received = new Map<string, string[]>();

beforeAll(async () => {
  world = await buildWorld(app);
  for (const [who, { token }] of Object.entries(world.people)) {
    const events: string[] = [];
    received.set(who, events);
    const socket = await app.socket(token);
    socket.onAny((name: string, payload: unknown) =>
      events.push(`${name} ${JSON.stringify(payload)}`),
    );
  }
  shared = await plantShared(app, world);
}, 120_000);

function holdsCanary(text: string): boolean {
  const bare = text.replaceAll(/[\s()+-]/g, '');
  return text.includes(CANARY) || bare.includes(SECRET_NUMBER.replaceAll(/\D/g, ''));
}

/** Everything that a GET may be asked: by each id that there is, and with each search. */
function asksOf(route: Route): Asked[] {
  const { hidden, openCaseId } = world;
  const ids = [openCaseId, ...Object.values(shared)];
  const own = [hidden.caseId, hidden.contactId, hidden.intakeId, hidden.checkId, hidden.eventId];
  const values: Record<string, string[]> = {
    id: [...ids, ...own],
    caseId: [openCaseId, hidden.caseId],
    kind: ['cases', 'intakes'],
  };
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const paths = names.reduce(
    (all, name) =>
      all.flatMap((path) =>
        (values[name] ?? [hidden.name]).map((value) =>
          path.replace(`{${name}}`, encodeURIComponent(value)),
        ),
      ),
    [route.path],
  );
  return paths.flatMap((path) =>
    queriesOf(route).map((query) => ({
      route,
      path: `${path}?${new URLSearchParams(query).toString()}`,
    })),
  );
}

function queriesOf({ query }: Route): Query[] {
  const parsed = query?.safeParse({});
  const missing = (parsed?.error?.issues ?? []).map((issue) => String(issue.path[0]));
  const required = Object.fromEntries(missing.map((name) => [name, needed[name] ?? '']));
  const most = query?.safeParse({ ...required, limit: '200' }).data as object | undefined;
  const base = { ...required, ...(most && 'limit' in most && { limit: '200' }) };
  const takes = (member: string) =>
    query?.safeParse({ ...base, [member]: CANARY }).success === true &&
    JSON.stringify(query.safeParse({ ...base, [member]: CANARY }).data).includes(CANARY);
  const searches = takes('search') ? searched.map((search) => ({ ...base, search })) : [];
  const decided = query?.safeParse({ ...base, decided: '1' }).data as object | undefined;
  const others = decided && 'decided' in decided ? [{ ...base, decided: '1' }] : [];
  return [base, ...searches, ...others];
}

async function read({ path }: Asked, { token }: SignedInPerson): Promise<string> {
  const headers = { 'x-auth-token': token };
  const reply = await fetch(app.url + path, { headers, redirect: 'manual' });
  if (reply.headers.get('content-type') !== 'application/pdf') return reply.text();
  return textOf(reply);
}

/** Routes that show a person a canary, each with the first address that does. */
async function showing(person: SignedInPerson, left: Route[]): Promise<Map<Route, string>> {
  const found = new Map<Route, string>();
  for (const asked of left.filter(({ method }) => method === 'GET').flatMap(asksOf))
    if (!found.has(asked.route) && holdsCanary(await read(asked, person)))
      found.set(asked.route, asked.path);
  return found;
}

describe('what a walled matter and a walled intake say of people that others know', () => {
  test.each(outside)('is in no answer to the %s person', { timeout: 120_000 }, async (who) => {
    const asked = routes.filter((route) => who !== 'admin' || !forManagers.includes(route));
    expect([...(await showing(world.people[who], asked)).values()]).toEqual([]);
  });

  test('is there for someone inside', { timeout: 120_000 }, async () => {
    const found = await showing(world.people.opener, routes);
    for (const route of [
      contactRoutes.listContacts,
      contactRoutes.readContact,
      contactRoutes.listParties,
      conflictRoutes.listChecks,
      conflictRoutes.readCheck,
      conflictRoutes.printCheck,
      alertRoutes.listAlerts,
      auditRoutes.listEntries,
      auditRoutes.exportEntries,
      intakeRoutes.listIntakes,
      intakeRoutes.readIntake,
      accessRoutes.readAccess,
      accessRoutes.listAccess,
      caseRoutes.listCases,
      caseRoutes.exportCases,
    ])
      expect([...found.keys()].map(({ path }) => path)).toContain(route.path);
  });

  test.each(outside)('is in no conflict look of the %s person, but whom to ask', async (who) => {
    const name = { role: null, otherNames: [], emails: [] };
    const names = [
      { ...name, name: 'Quite Another', phoneNumbers: [SECRET_NUMBER] },
      { ...name, name: 'Obadiah Thistlewood', phoneNumbers: [] },
    ];
    const { token } = world.people[who];
    const reply = await app.call(conflictRoutes.lookForConflicts, { token, body: { names } });
    const hidden = reply.body.hits.filter(({ severity }) => severity === 'hidden');
    expect(new Set(hidden.map((hit) => hit.name))).toEqual(new Set([0, 1]));
    for (const hit of hidden) expect(Object.keys(hit)).toHaveLength(4);
    expect(holdsCanary(reply.text)).toBe(false);
  });

  test('is in no event of those outside', async () => {
    // Events keep their order: a person who receives the last one received all earlier ones.
    await app.call(caseRoutes.changeCase, {
      token: world.people.assigned.token,
      params: { id: world.openCaseId },
      body: { judge: 'The last one' },
    });
    for (const who of ['outsider', 'screened', 'admin', 'opener'] as const)
      await expect.poll(() => received.get(who)?.join('\n')).toContain('The last one');
    for (const who of outside)
      expect(received.get(who)?.filter((event) => holdsCanary(event))).toEqual([]);
    const inside = received.get('opener')?.filter((event) => holdsCanary(event)) ?? [];
    for (const name of ['contact.updated', 'intake.updated', 'case.updated'])
      expect(inside.map((event) => event.split(' ', 1)[0])).toContain(name);
  });

  test.each(['outsider', 'screened'] as const)(
    'tells the %s person of no wall around the intake',
    async (who) => {
      const { token } = world.people[who];
      const params = { kind: 'intakes', id: world.hidden.intakeId };
      const body = { reason: 'x', hours: 1 };
      const opened = await app.call(accessRoutes.openAccess, { token, params, body });
      const reading = await app.call(accessRoutes.readAccess, { token, params });
      expect([opened.status, reading.status]).toEqual([403, 404]);
    },
  );

  test('counts in no statistic of sources outside', async () => {
    const query = { from: '2020-01-01', to: '2039-12-31', by: 'source' };
    for (const who of outside) {
      const { token } = world.people[who];
      const { body } = await app.call(intakeStatRoutes.readStats, { token, query });
      expect(body.rows).toEqual([]);
    }
  });
});
