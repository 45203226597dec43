import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { eventInvitationRoutes } from '@matterdesk/contract/calendar-exchange.ts';
import { calendarRoutes } from '@matterdesk/contract/calendar.ts';
import { courtRuleRoutes } from '@matterdesk/contract/court-rules.ts';
import { deadlineRoutes } from '@matterdesk/contract/deadlines.ts';
import { mailWritingRoutes } from '@matterdesk/contract/mails.ts';
import { proposalRoutes } from '@matterdesk/contract/proposals.ts';
import type { Route } from '@matterdesk/contract/route.ts';
import { routes } from '@matterdesk/contract/routes.ts';
import { trayRoutes } from '@matterdesk/contract/tray.ts';
import { suite } from './testing/app.ts';
import {
  addContact,
  addDeadline,
  addEvent,
  addIntake,
  addTask,
  openCase,
  register,
  registerAdmin,
  registerManager,
  registerUser,
  type SignedInPerson,
} from './testing/factories.ts';
import { findValidInput } from './testing/valid-input.ts';

const unreachable = 'http://127.0.0.1:9';
const integrations = {
  GOOGLE_CLIENT_ID: 'desk.example',
  GOOGLE_CLIENT_SECRET: 'secret',
  GOOGLE_TOKEN_URL: unreachable,
  GMAIL_ROOT_URL: unreachable,
  TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
  TWILIO_AUTH_TOKEN: 'token',
  TWILIO_BASE_URL: unreachable,
};

const { app } = suite({}, { env: integrations });
let callers: SignedInPerson[];
/** Ids of rows that the callers see. */
let ids: string[];

beforeAll(async () => {
  const admin = await registerAdmin(app);
  const { token, id: owner } = admin;
  const [author, stranger, manager] = [
    await registerUser(app),
    await registerUser(app),
    await registerManager(app),
  ];
  callers = [stranger, author, manager];
  const matter = await openCase(app, token);
  const second = (await register(app)).id;
  const event = await addEvent(app, token, { case: matter.id });
  const own = { owner, second, case: matter.id };
  const proposed = await addDeadline(app, token, own);
  const hard = await addDeadline(app, author.token, { ...own, hard: true });
  const pending = await addDeadline(app, token, { ...own, hard: true });
  const params = { id: pending.id };
  const complete = { action: 'complete', reason: 'Filed', proof: 'The stamped copy' };
  const asked = { token: author.token, params, body: complete };
  await app.call(deadlineRoutes.proposeChange, asked);
  const task = await addTask(app, token, { case: matter.id, assignedTo: owner });
  const [contact, intake] = [await addContact(app, token), await addIntake(app, token)];
  const rows = [event, proposed, hard, pending, admin, task, contact, intake, matter];
  ids = [...rows.map(({ id }) => id), await plantProposal(admin, event.id)];
});

/** A deadline counts from the event, which moves. */
async function plantProposal({ token, id: owner }: SignedInPerson, event: string): Promise<string> {
  const { id: second } = await registerUser(app);
  const { body: courts } = await app.call(courtRuleRoutes.listJurisdictions, { token });
  const jurisdiction = courts.jurisdictions[0]?.id;
  const step = { title: 'Reply', kind: 'response', hard: true, count: 9, unit: 'days' };
  const steps = [{ ...step, direction: 'after', authority: '' }];
  const body = { name: 'Rule', jurisdiction, trigger: 'Hearing', steps, reviewed: false };
  const rule = (await app.call(courtRuleRoutes.addRule, { token, body })).body.id;
  const read = await app.call(calendarRoutes.readEvent, { token, params: { id: event } });
  const applied = { case: read.body.case?.id, rule, trigger: { event }, owner, second };
  await app.call(proposalRoutes.applyRule, { token, body: applied });
  const moved = await app.call(calendarRoutes.changeEvent, {
    token,
    params: { id: event },
    body: { start: '2038-03-03T15:00:00.000Z', end: '2038-03-03T16:00:00.000Z' },
  });
  return moved.body.proposal?.id ?? '';
}

/** Routes whose rows decide who may do something: each must refuse someone here. */
const byRow: Route[] = [
  calendarRoutes.changeEvent,
  eventInvitationRoutes.inviteGuests,
  deadlineRoutes.changeDeadline,
  deadlineRoutes.verifyDeadline,
  deadlineRoutes.acknowledgeDeadline,
  deadlineRoutes.proposeChange,
  deadlineRoutes.decideChange,
  proposalRoutes.decideProposal,
  accountRoutes.changeUser,
];

const subjects = routes
  .filter(
    ({ method, path, file, form }) => method !== 'GET' && path.includes('{') && !file && !form,
  )
  .map((route) => [`${route.method} ${route.path}`, route] as const);

function send(
  { method, path }: Route,
  id: string,
  { token, body }: { token: string; body: string | undefined },
) {
  const named = path.replaceAll('{kind}', 'cases').replaceAll(/\{\w+\}/g, id);
  const headers = { 'x-auth-token': token, 'content-type': 'application/json' };
  return app.request(named, { method, headers, ...(body !== undefined && { body }) });
}

/** Routes whose permission also depends on members of the body. */
const byMember: Route[] = [
  accountRoutes.changeUser,
  deadlineRoutes.changeDeadline,
  mailWritingRoutes.changeDraft,
  trayRoutes.fileItem,
];

/** Bodies that every route refuses; the first keeps the members of a valid one. */
function invalidBodies(route: Route, valid: object): (string | undefined)[] {
  const unknown = JSON.stringify({ ...valid, color: 'red' });
  return byMember.includes(route)
    ? [unknown]
    : [unknown, '{"color":"red"}', '{"', '[]', '7', undefined];
}

describe('permission is refused before the body is read', () => {
  test.each(subjects)('by %s', async (_, route) => {
    const valid = (route.body ? findValidInput(route.body) : {}) as object;
    let refused = 0;
    for (const { token } of callers)
      for (const id of ids) {
        const { status } = await send(route, id, { token, body: JSON.stringify(valid) });
        if (status !== 403) continue;
        refused += 1;
        const wrong = await Promise.all(
          invalidBodies(route, valid).map(
            async (body) => (await send(route, id, { token, body })).status,
          ),
        );
        expect({ id, wrong }).toEqual({ id, wrong: wrong.map(() => 403) });
      }
    expect(refused > 0 || !byRow.includes(route)).toBe(true);
  });

  test.each(byRow.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'by %s, and an unknown row after it',
    async (_, route) => {
      const [stranger] = callers;
      const { status } = await send(route, randomUUID(), {
        token: stranger?.token ?? '',
        body: '{"color":"red"}',
      });
      // A right that the whole route takes is refused first.
      expect(status).toBe(route === accountRoutes.changeUser ? 403 : 400);
    },
  );
});
