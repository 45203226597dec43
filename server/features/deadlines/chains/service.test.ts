import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { calendarRoutes, type EventPatch } from '@matterdesk/contract/calendar.ts';
import type { Case } from '@matterdesk/contract/cases.ts';
import { courtRuleRoutes, type Jurisdiction, type Rule } from '@matterdesk/contract/court-rules.ts';
import { deadlineRoutes, type Deadline } from '@matterdesk/contract/deadlines.ts';
import { proposalRoutes as routes, type Application } from '@matterdesk/contract/proposals.ts';
import { suite } from '../../../testing/app.ts';
import { NOT_PERMITTED } from '../../../testing/client.ts';
import {
  addEvent,
  openCase,
  registerAdmin,
  registerUser,
  registerWith,
  type SignedInPerson,
} from '../../../testing/factories.ts';

const { app, admin, docketer, owner, second, stranger } = suite({
  admin: registerAdmin,
  docketer: (to) => registerWith(to, { editCalendar: true }),
  owner: registerUser,
  second: registerUser,
  stranger: registerUser,
});
let court: Jurisdiction;
let rule: Rule;

const step = { kind: 'filing', hard: true, unit: 'days', direction: 'before' } as const;

beforeAll(async () => {
  const { token } = docketer;
  ({ body: court } = await app.call(courtRuleRoutes.addJurisdiction, {
    token,
    body: {
      name: 'County court',
      timeZone: 'America/Chicago',
      weekend: [6, 7],
      holidays: [{ date: '2027-07-05', name: 'Independence Day', forwardOnly: false }],
    },
  }));
  ({ body: rule } = await app.call(courtRuleRoutes.addRule, {
    token,
    body: {
      name: 'Pretrial',
      jurisdiction: court.id,
      trigger: 'Trial',
      reviewed: false,
      steps: [
        { ...step, title: 'Motions in limine', count: 14, authority: 'Rule 1' },
        { ...step, title: 'Exhibit list', count: 7, hard: false, authority: '' },
      ],
    },
  }));
});

const apply = (own: Partial<Application> & Pick<Application, 'case' | 'trigger'>) =>
  app.call(routes.applyRule, {
    token: stranger.token,
    body: { rule: rule.id, owner: owner.id, second: second.id, ...own },
  });
const read = async (id: string): Promise<Deadline> =>
  (await app.call(deadlineRoutes.readDeadline, { token: admin.token, params: { id } })).body;
const historyOf = async (id: string) =>
  (await app.call(deadlineRoutes.readDeadline, { token: admin.token, params: { id } })).body
    .history;
const proposalsOf = async ({ id }: Case, who = admin) =>
  (await app.call(routes.listProposals, { token: who.token })).body.proposals.filter(({ items }) =>
    items.some(({ deadline }) => deadline.case?.id === id),
  );
const decide = (id: string, accept: string[], who: SignedInPerson, reason = '') =>
  app.call(routes.decideProposal, { token: who.token, params: { id }, body: { accept, reason } });
const change = async (id: string, body: EventPatch, who = docketer) =>
  (await app.call(calendarRoutes.changeEvent, { token: who.token, params: { id }, body })).body;
const onDay = (day: string) => ({ start: day, end: day, allDay: true });

/** A trial on September 20, 2027, a Monday, two deadlines before it, and one that counts from the first of them. */
async function chain() {
  const matter = await openCase(app, admin.token);
  const trial = await addEvent(app, docketer.token, {
    case: matter.id,
    title: 'Trial',
    kind: 'trial',
    ...onDay('2027-09-20'),
  });
  const { body } = await apply({ case: matter.id, trigger: { event: trial.id } });
  const [motions, exhibits] = body.deadlines.map(({ id }) => id);
  const { body: next } = await apply({
    case: matter.id,
    trigger: { deadline: motions ?? '' },
    steps: [1],
  });
  const drafts = next.deadlines[0]?.id;
  return { matter, trial, motions: motions ?? '', exhibits: exhibits ?? '', drafts: drafts ?? '' };
}

/** A chain whose last deadline has the lower id. */
async function reversed(): ReturnType<typeof chain> {
  const found = await chain();
  return found.drafts < found.motions ? found : reversed();
}

const datesOf = (ids: string[]) => Promise.all(ids.map(async (id) => (await read(id)).date));

describe('POST /deadlines/apply', () => {
  test('adds the chosen steps, counted from a title and a date, with every line', async () => {
    const matter = await openCase(app, admin.token);
    const trigger = { title: 'Trial', date: '2027-07-12' };
    const { status, body } = await apply({ case: matter.id, trigger, steps: [1], service: 3 });
    expect(status).toBe(201);
    expect(body.deadlines).toMatchObject([
      {
        title: 'Exhibit list',
        hard: false,
        kind: 'filing',
        // July 5 is a holiday; before it, a weekend: July 2, then 3 days more.
        date: '2027-06-29',
        timeZone: 'America/Chicago',
        owner: { id: owner.id },
        basis: {
          rule: rule.id,
          version: 1,
          trigger: { event: null, deadline: null, ...trigger },
          lines: [
            { text: 'Trial: not counted', date: '2027-07-12' },
            { text: '− 7 days', date: '2027-07-05' },
            { text: 'Independence Day, previous court day', date: '2027-07-02' },
            { text: '− 3 days for service', date: '2027-06-29' },
          ],
        },
      },
    ]);
  });

  test.each([
    [{ rule: randomUUID() }, 'Please select a rule'],
    [{ case: randomUUID() }, 'Please select any case'],
    [{ steps: [2] }, 'Steps must be places in the rule'],
    [{ steps: [] }, 'Steps must have at least 1 entry'],
    [{ second: null }, 'Please select a second person'],
    [{ trigger: { event: randomUUID() } }, 'Please select an event of this matter'],
    [{ trigger: { deadline: 'x' } }, 'Please select a deadline of this matter'],
    [
      { trigger: { title: 'Trial' } as never },
      'Trigger must be an event, a deadline, or a title with a date',
    ],
  ])('refuses %j', async (own: Partial<Application>, message) => {
    const matter = await openCase(app, admin.token);
    const trigger = { title: 'Trial', date: '2027-07-12' };
    expect(await apply({ case: matter.id, trigger, ...own })).toMatchObject({
      status: 400,
      message,
    });
  });

  test('counts from an event of the matter alone', async () => {
    const { trial } = await chain();
    const other = await openCase(app, admin.token);
    expect(await apply({ case: other.id, trigger: { event: trial.id } })).toMatchObject({
      status: 400,
      message: 'Please select an event of this matter',
    });
  });
});

describe('a moved trigger', () => {
  test('proposes to move what counts from it, through chains, and moves nothing', async () => {
    const { matter, trial, motions, exhibits, drafts } = await chain();
    const ids = [motions, exhibits, drafts];
    const before = ['2027-09-06', '2027-09-13', '2027-08-30'];
    expect(await datesOf(ids)).toEqual(before);
    const { proposal } = await change(trial.id, onDay('2027-10-18'));
    expect(proposal).toMatchObject({
      trigger: { type: 'event', id: trial.id, title: 'Trial' },
      by: { id: docketer.id },
      status: 'open',
    });
    const found = proposal?.items.map(({ deadline, from, to, lines }) => [
      deadline.id,
      from,
      to,
      lines.at(-1)?.date,
    ]);
    const after = ['2027-10-04', '2027-10-11', '2027-09-27'];
    expect(new Set(found)).toEqual(
      new Set(ids.map((id, at) => [id, before[at], after[at], after[at]])),
    );
    expect(await datesOf(ids)).toEqual(before);
    expect(await proposalsOf(matter, stranger)).toMatchObject([{ id: proposal?.id }]);
    expect((await historyOf(motions)).some((entry) => entry.action === 'recountProposed')).toBe(
      true,
    );
  });

  test('moves nothing before others decide, the mover not about hard ones', async () => {
    const { matter, trial, motions, exhibits, drafts } = await chain();
    const { proposal } = await change(trial.id, onDay('2027-10-18'));
    const id = proposal?.id ?? '';
    for (const who of [owner, stranger])
      expect(await decide(id, [], who)).toMatchObject(NOT_PERMITTED);
    expect(await decide(id, [motions], docketer)).toMatchObject(NOT_PERMITTED);
    expect(await decide(id, [randomUUID()], second)).toMatchObject({ status: 400 });
    expect(await decide(id, [exhibits], docketer)).toMatchObject({
      status: 400,
      message: 'Please enter a reason',
    });
    // The soft ones, of which one stays.
    expect((await decide(id, [exhibits], docketer, 'Agreed')).body.status).toBe('open');
    expect(await datesOf([motions, exhibits, drafts])).toEqual([
      '2027-09-06',
      '2027-10-11',
      '2027-08-30',
    ]);
    const { body } = await decide(id, [motions], second);
    expect(body.status).toBe('decided');
    expect(await read(motions)).toMatchObject({
      date: '2027-10-04',
      verified: null,
      basis: { trigger: { date: '2027-10-18' } },
    });
    expect((await historyOf(drafts))[1]).toMatchObject({ action: 'kept', reason: 'Agreed' });
    expect((await historyOf(motions))[1]).toMatchObject({
      action: 'recounted',
      by: { id: second.id },
      from: { date: '2027-09-06' },
      to: { date: '2027-10-04' },
    });
    expect(await proposalsOf(matter)).toEqual([]);
    expect(await decide(id, [], admin)).toMatchObject({ status: 409 });
  });

  test('replaces an earlier proposal, and closes it when nothing would change', async () => {
    const { matter, trial, motions } = await chain();
    const { proposal: first } = await change(trial.id, onDay('2027-10-18'));
    const { proposal: newer } = await change(trial.id, onDay('2027-10-25'));
    expect((await proposalsOf(matter)).map(({ id }) => id)).toEqual([newer?.id]);
    expect(await decide(first?.id ?? '', [motions], admin)).toMatchObject({ status: 409 });
    expect((await change(trial.id, { location: 'Room 4' })).proposal).toBe(null);
    expect((await proposalsOf(matter)).map(({ id }) => id)).toEqual([newer?.id]);
    expect((await change(trial.id, onDay('2027-09-20'))).proposal).toBe(null);
    expect(await proposalsOf(matter)).toEqual([]);
  });

  test('that is canceled proposes to vacate, and one that completes is left alone', async () => {
    const { matter, trial, motions, exhibits, drafts } = await chain();
    await app.call(deadlineRoutes.proposeChange, {
      token: owner.token,
      params: { id: exhibits },
      body: { action: 'complete', reason: 'Filed', proof: '', time: null },
    });
    const { proposal } = await change(trial.id, { cancelled: true }, admin);
    expect(proposal?.items.map(({ deadline, to }) => [deadline.id, to]).toSorted()).toEqual(
      [motions, drafts].toSorted().map((id) => [id, null]),
    );
    await decide(proposal?.id ?? '', [motions, drafts], docketer);
    expect((await read(motions)).status).toBe('vacated');
    expect(await proposalsOf(matter)).toEqual([]);
  });

  test('may be a deadline, whose correction is followed', async () => {
    const { matter, motions, drafts } = await chain();
    await app.call(deadlineRoutes.changeDeadline, {
      token: owner.token,
      params: { id: motions },
      body: { date: '2027-09-08', reason: 'By order' },
    });
    expect(await proposalsOf(matter)).toMatchObject([
      {
        trigger: { type: 'deadline', id: motions },
        items: [{ deadline: { id: drafts }, from: '2027-08-30', to: '2027-09-01' }],
      },
    ]);
  });
});

describe('a changed holiday', () => {
  test('proposes to move what counts by it, in every matter, and nothing else', async () => {
    const [one, other] = [await chain(), await chain()];
    const holiday = { date: '2027-09-13', name: 'Founders Day', forwardOnly: false };
    const edit = (holidays: Jurisdiction['holidays']) =>
      app.call(courtRuleRoutes.changeJurisdiction, {
        token: docketer.token,
        params: { id: court.id },
        body: { holidays },
      });
    await edit([...court.holidays, holiday]);
    const [proposal] = await proposalsOf(one.matter);
    const found = proposal?.items.map(({ deadline, to }) => [deadline.id, to]);
    expect(found).toEqual(
      expect.arrayContaining([
        [one.exhibits, '2027-09-10'],
        [other.exhibits, '2027-09-10'],
      ]),
    );
    expect(JSON.stringify(proposal)).not.toContain(one.motions);
    await edit(court.holidays);
    expect(await proposalsOf(one.matter)).toEqual([]);
  });
});

test('a date and the calendar of its court change at once without waiting for each other', async () => {
  const { motions, drafts } = await reversed();
  const holds = await app.pool.connect();
  await holds.query('select pg_advisory_lock(5)');
  await holds.query(`
    create function base.wait_for_test() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(5); return new; end $$;
    create trigger deadlines_wait before update on base.deadlines
      for each row when (new.id = '${motions}') execute function base.wait_for_test()`);
  const waiting = (n: number) =>
    expect
      .poll(async () => {
        const { rows } = await holds.query<{ n: number }>(
          `select count(*)::int as n from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return rows[0]?.n;
      })
      .toBe(n);
  const body = { date: '2027-09-03', reason: 'Misread' };
  const correct = { token: docketer.token, params: { id: motions }, body };
  const moving = app.call(deadlineRoutes.changeDeadline, correct);
  await waiting(1);
  const holidays = ['2027-08-27', '2027-09-03', '2027-09-06'].map((date) => ({
    date,
    name: 'Closed',
    forwardOnly: false,
  }));
  const closed = { token: docketer.token, params: { id: court.id }, body: { holidays } };
  const closing = app.call(courtRuleRoutes.changeJurisdiction, closed);
  await waiting(2);
  await holds.query('select pg_advisory_unlock(5)');
  expect([(await moving).status, (await closing).status]).toEqual([200, 200]);
  await holds.query('drop trigger deadlines_wait on base.deadlines');
  holds.release();
  expect((await read(drafts)).id).toBe(drafts);
});
