import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { courtRuleRoutes, type Computation } from '@matterdesk/contract/court-rules.ts';
import { suite } from '../../../testing/app.ts';
import { registerUser, registerWith, type SignedInPerson } from '../../../testing/factories.ts';

const { app } = suite({});
let docketer: SignedInPerson;
let user: SignedInPerson;
let federal: string;

beforeAll(async () => {
  [docketer, user] = [await registerWith(app, { editCalendar: true }), await registerUser(app)];
  federal = (await jurisdictions())[0]?.id ?? '';
});

const jurisdictions = async () =>
  (await app.call(courtRuleRoutes.listJurisdictions, { token: user.token })).body.jurisdictions;
const compute = (own: Partial<Computation> = {}) =>
  app.call(courtRuleRoutes.computeDate, {
    token: user.token,
    body: {
      jurisdiction: federal,
      date: '2027-02-02',
      count: 13,
      unit: 'days',
      direction: 'after',
      service: 3,
      ...own,
    },
  });

const step = {
  title: 'Opposition',
  kind: 'response',
  hard: true,
  count: 14,
  unit: 'days',
  direction: 'after',
} as const;

describe('POST /deadlines/compute', () => {
  test('counts by the shipped federal calendar and shows its lines', async () => {
    expect(await jurisdictions()).toMatchObject([
      { name: 'Federal', timeZone: 'America/New_York', weekend: [6, 7] },
    ]);
    const { body } = await compute();
    expect(body.date).toBe('2027-02-19');
    expect(body.lines.map(({ date }) => date)).toEqual([
      '2027-02-02',
      '2027-02-15',
      '2027-02-16',
      '2027-02-19',
    ]);
  });

  test.each([
    [{ jurisdiction: randomUUID() }, 'Please select a jurisdiction'],
    [{ jurisdiction: 'x' }, 'Please select a jurisdiction'],
    [{ count: 1001 }, 'Count must be a whole number from 0 to 1000'],
    [{ count: -1 }, 'Count must be a whole number from 0 to 1000'],
    [{ date: '2027-02-30' }, 'Date must be a date'],
    [{ date: '2201-01-01' }, 'Date must be from 1900 to 2200'],
    [{ unit: 'hours' as 'days' }, 'Unit must be one of days, courtDays, weeks, months, years'],
  ])('refuses %j', async (own, message) => {
    expect(await compute(own)).toMatchObject({ status: 400, message });
  });
});

describe('jurisdictions', () => {
  test('are added and edited, and count from then on', async () => {
    const { token } = docketer;
    const input = {
      name: 'Massachusetts',
      timeZone: 'America/New_York',
      weekend: [7, 6],
      holidays: [{ date: '2027-07-05', name: 'Independence Day', forwardOnly: false }],
    };
    const { body, status } = await app.call(courtRuleRoutes.addJurisdiction, {
      token,
      body: input,
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ ...input, weekend: [6, 7] });
    const patriots = { date: '2027-04-19', name: 'Patriots’ Day', forwardOnly: true };
    const changed = await app.call(courtRuleRoutes.changeJurisdiction, {
      token,
      params: { id: body.id },
      body: { holidays: [...input.holidays, patriots] },
    });
    expect(changed.body.holidays).toEqual([patriots, ...input.holidays]);
    const counted = await compute({
      jurisdiction: body.id,
      date: '2027-04-05',
      count: 14,
      service: 0,
    });
    expect(counted.body.date).toBe('2027-04-20');
  });

  test('are refused in a time zone that is unknown', async () => {
    const { token } = docketer;
    const body = { name: 'Atlantis', timeZone: 'Europe/Atlantis', weekend: [6, 7], holidays: [] };
    expect(await app.call(courtRuleRoutes.addJurisdiction, { token, body })).toMatchObject({
      status: 400,
      message: 'Time zone is unknown',
    });
  });

  test('are refused without editCalendar, and when unknown', async () => {
    const params = { id: randomUUID() };
    const change = (token: string) =>
      app.call(courtRuleRoutes.changeJurisdiction, { token, params, body: { name: 'X' } });
    expect(await change(user.token)).toMatchObject({ status: 403 });
    expect(await change(docketer.token)).toMatchObject({
      status: 404,
      message: 'Jurisdiction not found',
    });
  });
});

describe('rules', () => {
  test('ship unreviewed, until someone of the firm signs', async () => {
    const { body } = await app.call(courtRuleRoutes.listRules, { token: user.token });
    expect(body.rules.length).toBeGreaterThan(3);
    expect(new Set(body.rules.map(({ reviewed }) => reviewed))).toEqual(new Set([false]));
    const [first] = body.rules;
    const call = { params: { id: first?.id ?? '' }, body: { reviewed: true } };
    expect(
      await app.call(courtRuleRoutes.changeRule, { token: user.token, ...call }),
    ).toMatchObject({ status: 403 });
    const signed = await app.call(courtRuleRoutes.changeRule, { token: docketer.token, ...call });
    expect(signed.body).toEqual({ ...first, reviewed: true, updatedAt: signed.body.updatedAt });
  });

  test('get a new version with each change, which is unreviewed again', async () => {
    const { token } = docketer;
    const { body: added } = await app.call(courtRuleRoutes.addRule, {
      token,
      body: {
        name: 'Motions',
        jurisdiction: federal,
        trigger: 'Motion served',
        steps: [step],
        reviewed: true,
      },
    });
    expect(added).toMatchObject({
      version: 1,
      reviewed: true,
      steps: [{ ...step, roll: null, service: 0, authority: '' }],
    });
    const { body: changed } = await app.call(courtRuleRoutes.changeRule, {
      token,
      params: { id: added.id },
      body: { steps: [{ ...step, count: 21, authority: 'Local Rule 7' }] },
    });
    expect(changed).toMatchObject({ id: added.id, version: 2, reviewed: false });
    const { body: list } = await app.call(courtRuleRoutes.listRules, { token });
    expect(list.rules.filter(({ id }) => id === added.id)).toEqual([changed]);
    const versions = await app.pool.query('select steps from rules where id = $1', [added.id]);
    expect(versions.rows).toHaveLength(2);
  });

  test('are refused without steps, and of an unknown jurisdiction', async () => {
    const add = (own: object) =>
      app.call(courtRuleRoutes.addRule, {
        token: docketer.token,
        body: {
          name: 'X',
          jurisdiction: federal,
          trigger: 'Y',
          steps: [step],
          reviewed: false,
          ...own,
        },
      });
    expect(await add({ steps: [] })).toMatchObject({
      status: 400,
      message: 'Steps must have at least 1 entry',
    });
    expect(await add({ jurisdiction: randomUUID() })).toMatchObject({
      status: 400,
      message: 'Please select a jurisdiction',
    });
  });
});
