import { beforeAll, describe, expect, test } from 'vitest';
import { accessRoutes } from '@matterdesk/contract/access.ts';
import { auditRoutes } from '@matterdesk/contract/audit.ts';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { alertRoutes, conflictRoutes, type NewDecision } from '@matterdesk/contract/conflicts.ts';
import { contactRoutes } from '@matterdesk/contract/contacts.ts';
import { intakeRoutes, intakeStatRoutes } from '@matterdesk/contract/intake-routes.ts';
import type { Route } from '@matterdesk/contract/route.ts';
import { routes } from '@matterdesk/contract/routes.ts';
import { type TestApp, suite } from './testing/app.ts';
import { newContact, openCase, type SignedInPerson } from './testing/factories.ts';
import { textOf } from './testing/papers.ts';
import { CANARY, type World, buildWorld } from './testing/walled-world.ts';

/** A number that stands behind walls alone. */
const SECRET_NUMBER = '+1 917 555 0188';
const WITNESS = 'Obadiah Thistlewood';

/** Records that everyone reads, with details that come only from a walled matter. */
type Shared = {
  /** The counsel of the walled matter and of an open one. */
  contactId: string;
  /** A check about no matter, whose hit is decided by someone inside, and its rerun. */
  checkId: string;
  rerunId: string;
};

/** Canaries in what those outside know a part of. */
async function plantShared(app: TestApp, world: World): Promise<Shared> {
  const { hidden, people } = world;
  const { token } = people.assigned;
  const inside = people.opener.token;
  await app.call(caseRoutes.changeCase, {
    token,
    params: { id: hidden.caseId },
    body: {
      opposingCounselInfo: {
        email: `counsel@${CANARY}.example`,
        phoneNumber: SECRET_NUMBER,
        address: `9 ${CANARY} Avenue`,
      },
    },
  });
  await app.call(intakeRoutes.changeIntake, {
    token,
    params: { id: hidden.intakeId },
    body: { email: `intake@${CANARY}.example`, phoneNumber: SECRET_NUMBER, nextStep: CANARY },
  });
  await app.call(contactRoutes.addParty, {
    token,
    params: { id: hidden.caseId },
    body: { role: 'client', note: CANARY, contact: newContact({ name: WITNESS, notes: CANARY }) },
  });
  const contactId = await findCounsel(app, token, world.openCaseId);
  await app.call(contactRoutes.mergeContacts, {
    token,
    params: { id: contactId },
    body: { from: hidden.witnessId },
  });
  const checks = await decideInside(app, inside, hidden.url);
  await decideAlert(app, { token, inside });
  await app.call(caseRoutes.exportCases, { token: inside, query: { search: CANARY } });
  return { contactId, ...checks };
}

async function findCounsel(app: TestApp, token: string, id: string): Promise<string> {
  const { body } = await app.call(contactRoutes.listParties, { token, params: { id } });
  const party = body.parties.find(({ embedded }) => embedded === 'opposingCounselInfo');
  return party?.contact.id ?? '';
}

/** A waiver that is a file of the walled matter, for a reason that is not for others. */
async function decideInside(app: TestApp, token: string, url: string) {
  const name = { name: WITNESS, role: null, emails: [], phoneNumbers: [], otherNames: [] };
  const run = await app.call(conflictRoutes.runCheck, {
    token,
    body: { names: [name], texts: false },
  });
  const { id: checkId, hits } = run.body.check;
  const params = { id: checkId };
  const hitIds = hits.map(({ id }) => id);
  const reason = `${CANARY} signed`;
  const body: NewDecision = { hitIds, decision: 'waiver', reason, url, screened: [] };
  const decided = await app.call(conflictRoutes.decideHits, { token, params, body });
  if (decided.status !== 200 || hitIds.length === 0) throw new Error(decided.text);
  const again = await app.call(conflictRoutes.rerunCheck, { token, params });
  return { checkId, rerunId: again.body.check.id };
}

/** An open matter meets the witness of the walled one, which someone inside decides. */
async function decideAlert(app: TestApp, { token, inside }: { token: string; inside: string }) {
  const matter = await openCase(app, token, {
    opposingCounselInfo: {
      organization: 'Ostrich Law',
      name: WITNESS,
      email: 'other@roe.example',
      phoneNumber: '+1 518 555 0177',
      address: '3 High Street',
    },
  });
  await app.raiseAlerts();
  const query = { decided: '0' };
  const { body } = await app.call(alertRoutes.listAlerts, { token: inside, query });
  const alerts = body.alerts.filter(({ subject }) => subject?.id === matter.id);
  if (alerts.length === 0) throw new Error('no alert was raised');
  for (const { id } of alerts)
    await app.call(alertRoutes.decideAlert, {
      token: inside,
      params: { id },
      body: { decision: 'noConflict', reason: `${CANARY} agreed` },
    });
}

type Query = Record<string, string>;
type Asked = { route: Route; path: string };

const outside = ['outsider', 'screened', 'admin'] as const;
/** Users who manage walls read their reasons, and the names of what they are about. */
const forManagers: Route[] = [accessRoutes.readAccess, accessRoutes.listAccess];
/** Widest values of members that a query needs. */
const needed: Query = { from: '2038-02-01', to: '2038-03-31', by: 'source' };
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
