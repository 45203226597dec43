import { beforeAll, expect, test } from 'vitest';
import { calendarRoutes } from '@matterdesk/contract/calendar.ts';
import { caseRoutes, type Case } from '@matterdesk/contract/cases.ts';
import { dashboardRoutes } from '@matterdesk/contract/dashboard.ts';
import { deadlineRoutes, type NewChange } from '@matterdesk/contract/deadlines.ts';
import { solInEffect } from '@matterdesk/contract/sol-in-effect.ts';
import { suite } from './testing/app.ts';
import { nextEvent } from './testing/client.ts';
import {
  noticesOf,
  openCase,
  registerAdmin,
  registerUser,
  registerWith,
  type SignedInPerson,
} from './testing/factories.ts';

const { app, admin, mover } = suite({
  admin: registerAdmin,
  mover: (to) => registerWith(to, { createCases: true, editCalendar: true }),
});
let second: SignedInPerson;
beforeAll(async () => {
  second = await registerUser(app);
});

const TODAY = '2030-01-10';
const [SOONER, NOW, LATER] = ['2030-02-01', '2030-03-01', '2030-03-20'] as const;

async function openVerified() {
  const own = { SOL: NOW, assignedUsers: [admin.id] };
  const matter = await openCase(app, admin.token, own);
  const query = { case: matter.id, kind: 'limitation' } as const;
  const { body } = await app.call(deadlineRoutes.listDeadlines, { token: admin.token, query });
  const limitation = { token: admin.token, params: { id: body.deadlines[0]?.id ?? '' } };
  await app.call(deadlineRoutes.changeDeadline, { ...limitation, body: { second: second.id } });
  const verification = { ...limitation, token: second.token, body: { date: NOW, time: null } };
  expect((await app.call(deadlineRoutes.verifyDeadline, verification)).status).toBe(200);
  return { matter, id: limitation.params.id };
}

type Opened = Awaited<ReturnType<typeof openVerified>>;
const changes = {
  SOL: ({ matter }: Opened, date: string) =>
    app.call(caseRoutes.changeCase, {
      token: mover.token,
      params: { id: matter.id },
      body: { SOL: date },
    }),
  deadline: ({ id }: Opened, date: string) => {
    const body: NewChange = { action: 'move', date, time: null, reason: 'Tolled', proof: '' };
    return app.call(deadlineRoutes.proposeChange, { token: mover.token, params: { id }, body });
  },
};

/** Everything that shows the date of a limitation, with the date that it shows. */
const places: Record<string, (opened: Opened) => Promise<(string | null | undefined)[]>> = {
  'the case': async ({ matter }) => [solInEffect(await readCase(matter.id))],
  'the list of matters': async ({ matter }) => {
    const { body } = await app.call(caseRoutes.listCases, { token: admin.token, query: {} });
    return shownOf(body.cases, matter);
  },
  'a search of matters': async ({ matter }) => {
    const query = { search: matter.caseNo };
    const { body } = await app.call(caseRoutes.listCases, { token: admin.token, query });
    return shownOf(body.cases, matter);
  },
  'matters by SOL': async ({ matter }) => {
    const query = { sort: 'sol' } as const;
    const { body } = await app.call(caseRoutes.listCases, { token: admin.token, query });
    const dates = body.cases.map((one) => solInEffect(one) ?? '');
    expect(dates).toEqual(dates.toSorted());
    return shownOf(body.cases, matter);
  },
  'the next 90 days of the dashboard': async ({ matter }) => {
    const query = { today: TODAY };
    const { body } = await app.call(dashboardRoutes.readOverview, { token: admin.token, query });
    const found = body.limitations.filter(({ id }) => id === matter.id);
    return found.map(solInEffect);
  },
  'the deadline': async ({ id }) => {
    const { body } = await app.call(deadlineRoutes.readDeadline, {
      token: admin.token,
      params: { id },
    });
    return [body.effectiveDate];
  },
  'the list of deadlines': async ({ matter }) => {
    const query = { case: matter.id, from: TODAY, to: '2030-04-10' };
    const { body } = await app.call(deadlineRoutes.listDeadlines, { token: admin.token, query });
    return body.deadlines.map(({ effectiveDate }) => effectiveDate);
  },
  'the calendar': async ({ matter }) => {
    const query = { from: TODAY, to: '2030-04-10', case: matter.id, kinds: 'deadline' };
    const { body } = await app.call(calendarRoutes.readCalendar, { token: admin.token, query });
    return body.items.map(({ start }) => start);
  },
  'a notice': async ({ id }) => {
    const ofDeadline = (await noticesOf(app, second)).filter(({ item }) => item?.id === id);
    return [...new Set(ofDeadline.map(({ item }) => item?.start))];
  },
  'the exported list': async ({ matter }) => {
    const query = { search: matter.caseNo };
    const { text } = await app.call(caseRoutes.exportCases, { token: admin.token, query });
    return [...text.matchAll(/2030-\d\d-\d\d/g)].map(([day]) => day);
  },
};

function shownOf(cases: Case[], { id }: Case) {
  return cases.filter((found) => found.id === id).map(solInEffect);
}

async function readCase(id: string): Promise<Case> {
  return (await app.call(caseRoutes.readCase, { token: admin.token, params: { id } })).body.case;
}

const table = [
  ['SOL', LATER, NOW],
  ['SOL', SOONER, SOONER],
  ['deadline', LATER, NOW],
  ['deadline', SOONER, SOONER],
] as const;

test.each(table)(
  'while a change of the %s to %s waits, every place shows %s',
  async (by, proposed, inEffect) => {
    const opened = await openVerified();
    const socket = await app.socket(admin.token);
    const updated = nextEvent(socket, 'case.updated');
    expect((await changes[by](opened, proposed)).status).toBe(200);
    for (const [place, read] of Object.entries(places))
      expect([place, await read(opened)]).toEqual([place, [inEffect]]);
    const waits = by === 'SOL' && proposed === SOONER ? undefined : waitingOf(inEffect, proposed);
    expect((await readCase(opened.matter.id)).waiting).toEqual(waits);
    expect((await updated).waiting).toEqual(waits);
  },
);

function waitingOf(date: string, proposed: string) {
  const nameOf = ({ id, firstName, lastName }: SignedInPerson) => ({ id, firstName, lastName });
  return { date, proposed, by: nameOf(mover), decides: nameOf(second) };
}

test('once the second person has decided, the case shows only the decided date', async () => {
  const opened = await openVerified();
  await changes.deadline(opened, LATER);
  const decision = { accept: true, reason: '' };
  const as = { token: second.token, params: { id: opened.id } };
  await app.call(deadlineRoutes.decideChange, { ...as, body: decision });
  expect(await readCase(opened.matter.id)).toMatchObject({ SOL: LATER });
  expect(await readCase(opened.matter.id)).not.toHaveProperty('waiting');
});

test('a pending change does not appear as a changed field in the record of its case', async () => {
  const opened = await openVerified();
  const { body } = await changes.SOL(opened, LATER);
  expect(body).toMatchObject({ case: { SOL: LATER, waiting: { date: NOW, proposed: LATER } } });
  const { rows } = await app.pool.query<{ after: object }>(
    `select after from audit_log where entity_id = $1 and action = 'updated'`,
    [opened.matter.id],
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]?.after).not.toHaveProperty('waiting');
});
