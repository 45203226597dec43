import { beforeAll, describe, expect, test } from 'vitest';
import { calendarRoutes } from '@matterdesk/contract/calendar.ts';
import { caseRoutes, activityRoutes } from '@matterdesk/contract/cases.ts';
import { conflictRoutes } from '@matterdesk/contract/conflicts.ts';
import { contactRoutes } from '@matterdesk/contract/contacts.ts';
import { dashboardRoutes } from '@matterdesk/contract/dashboard.ts';
import { deadlineRoutes } from '@matterdesk/contract/deadlines.ts';
import { suite } from '../../testing/app.ts';
import {
  newCase,
  openCase,
  openUnfiledCase,
  registerAdmin,
  registerUser,
  type SignedInPerson,
  unique,
} from '../../testing/factories.ts';

const { app } = suite({});
let admin: SignedInPerson;
let token: string;

beforeAll(async () => {
  admin = await registerAdmin(app);
  ({ token } = admin);
});

const ALL = [
  'caseNo',
  'judge',
  'DOI',
  'SOL',
  'clientInfo.phoneNumber',
  'clientInfo.email',
  'clientInfo.address',
  'opposingCounselInfo.organization',
  'opposingCounselInfo.name',
  'opposingCounselInfo.phoneNumber',
  'opposingCounselInfo.email',
  'opposingCounselInfo.address',
];
const counsel = { organization: null, name: null, phoneNumber: null, email: null, address: null };

const open = (body: object) => app.call(caseRoutes.openCase, { token, body });
const change = (id: string, body: object) =>
  app.call(caseRoutes.changeCase, { token, params: { id }, body });
const list = (query: Record<string, string | number>) =>
  app.call(caseRoutes.listCases, { token, query });
const limitationsOf = async (id: string) => {
  const query = { case: id, kind: 'limitation' as const };
  return (await app.call(deadlineRoutes.listDeadlines, { token, query })).body.deadlines;
};
const partiesOf = async (id: string) =>
  (await app.call(contactRoutes.listParties, { token, params: { id } })).body.parties;

test('a conflict check of a case that lacks addresses and numbers has none of them', async () => {
  const matter = await openUnfiledCase(app, token);
  const body = { names: [{ name: 'Piet Voss' }], caseId: matter.id, texts: false };
  const { id } = (await app.call(conflictRoutes.runCheck, { token, body })).body.check;
  // Run again, it asks about the people of the case as well.
  const run = await app.call(conflictRoutes.rerunCheck, { token, params: { id } });
  expect(run.status).toBe(201);
  const client = run.body.check.names.find(({ name }) => name === matter.clientInfo.name);
  expect(client).toMatchObject({ emails: [], phoneNumbers: [] });
  const listed = await app.call(conflictRoutes.listChecks, { token, query: { caseId: matter.id } });
  expect(listed.status).toBe(200);
  expect(listed.body.checks.map((check) => check.id)).toContain(run.body.check.id);
});

describe('a case that is not filed yet', () => {
  test('needs a name, a type and a client, gets defaults, and names what it lacks', async () => {
    const body = {
      notFiled: true,
      caseName: 'Okafor v. Redwood',
      type: 'Civil',
      clientInfo: { name: 'Ada Okafor' },
    };
    const { status, body: reply } = await open(body);
    expect(status).toBe(201);
    const today = new Date().toLocaleDateString('sv-SE', { timeZone: 'America/New_York' });
    expect(reply.case).toMatchObject({
      caseName: 'Okafor v. Redwood',
      caseNo: null,
      statusType: 'Active',
      status: 'Pre-List',
      type: 'Civil',
      judge: null,
      managingAttorney: `${admin.firstName} ${admin.lastName}`,
      DOI: null,
      SOL: null,
      daysOpen: 0,
      clientInfo: { name: 'Ada Okafor', phoneNumber: null, email: null, address: null },
      opposingCounselInfo: counsel,
      incomplete: ALL,
    });
    expect(Math.abs(Date.parse(reply.case.dateOfOpening) - Date.parse(today))).toBeLessThan(2e8);
    const read = await app.call(caseRoutes.readCase, { token, params: { id: reply.case.id } });
    expect(read.body.case).toEqual(reply.case);
  });

  test('is refused without its name, type and client, and with values that are wrong', async () => {
    const { status, errors } = await open({ notFiled: true });
    expect(status).toBe(400);
    expect(errors).toEqual([
      { path: 'caseName', message: 'Case Name is required' },
      { path: 'type', message: 'Type is required' },
      { path: 'clientInfo.name', message: 'Client Name is required' },
    ]);
    const wrong = { SOL: '2026-02-30', daysOpen: -1, color: 'red' };
    const named = { caseName: 'A', type: 'PI', clientInfo: { name: 'B', email: 'no address' } };
    const refused = await open({ notFiled: true, ...named, ...wrong });
    expect(refused.status).toBe(400);
    expect(refused).toMatchObject({
      errors: [
        { path: 'SOL', message: 'SOL must be a date' },
        { path: 'daysOpen' },
        { path: 'clientInfo.email', message: 'Invalid email format' },
        { path: 'color', message: 'Unknown field: color' },
      ],
    });
    const unclear = await open({ ...newCase(), notFiled: 'yes' });
    expect(unclear).toMatchObject({
      errors: [{ path: 'notFiled', message: 'Not Filed must be true or false' }],
    });
  });

  test('cannot be opened without permission or without a session', async () => {
    const body = { notFiled: true, caseName: 'A', type: 'PI', clientInfo: { name: 'B' } } as never;
    const other = await registerUser(app);
    expect((await app.call(caseRoutes.openCase, { token: other.token, body })).status).toBe(403);
    expect(await app.call(caseRoutes.openCase, { body })).toMatchObject({
      status: 400,
      code: 'invalidToken',
    });
  });

  test('takes blank and null for what it lacks, and counts its days from the day of opening', async () => {
    const opened = await openUnfiledCase(app, token, {
      caseNo: '  ',
      judge: null,
      dateOfOpening: '2020-01-01',
      daysOpen: '' as unknown as number,
    });
    expect(opened).toMatchObject({ caseNo: null, judge: null, incomplete: ALL });
    expect(opened.daysOpen).toBeGreaterThan(2000);
  });

  test('lists as missing only the fields that it was not opened with', async () => {
    const opened = await openUnfiledCase(app, token, { SOL: '2031-01-05', judge: 'Ellen Marsh' });
    expect(opened.incomplete).toEqual(ALL.filter((path) => path !== 'SOL' && path !== 'judge'));
    expect(await limitationsOf(opened.id)).toHaveLength(1);
  });

  test('may stay without a number beside others, while numbers stay unique', async () => {
    const [first, second] = [await openUnfiledCase(app, token), await openUnfiledCase(app, token)];
    const taken = await openCase(app, token);
    expect((await change(first.id, { caseNo: taken.caseNo.toLowerCase() })).status).toBe(409);
    const number = `MD-${unique()}`;
    expect((await change(first.id, { caseNo: number })).body.case.caseNo).toBe(number);
    expect((await change(second.id, { caseNo: number })).status).toBe(409);
  });

  test('is filled by changes, and what was filled cannot be emptied', async () => {
    const { id } = await openUnfiledCase(app, token);
    const counselInfo = { ...newCase().opposingCounselInfo };
    const own = { caseNo: `MD-${unique()}`, judge: 'Hon. Stone', DOI: '2024-02-03' };
    const { case: half } = (await change(id, own)).body;
    expect(half).toMatchObject({ ...own, incomplete: ALL.slice(3) });
    expect(await change(id, { judge: '' })).toMatchObject({
      errors: [{ path: 'judge', message: 'Judge is required' }],
    });
    expect((await change(id, { judge: null })).status).toBe(400);
    const rest = {
      SOL: '2031-02-03',
      clientInfo: { phoneNumber: '1 518 555 0101', email: 'n@x.example', address: '12 Elm' },
      opposingCounselInfo: counselInfo,
    };
    const { case: whole } = (await change(id, rest)).body;
    expect(whole).toMatchObject({ ...own, ...rest, incomplete: [] });
  });

  test('has a limitation from the day on which its date is entered', async () => {
    const { id } = await openUnfiledCase(app, token, { assignedUsers: [admin.id] });
    expect(await limitationsOf(id)).toEqual([]);
    await change(id, { SOL: '2031-06-01' });
    const [limitation] = await limitationsOf(id);
    expect(limitation).toMatchObject({ date: '2031-06-01', status: 'open', imported: false });
    expect(limitation?.owner?.id).toBe(admin.id);
    await change(id, { SOL: '2031-07-01' });
    expect(await limitationsOf(id)).toHaveLength(1);
  });

  test('has no counsel among its parties until one is named', async () => {
    const { id } = await openUnfiledCase(app, token);
    expect((await partiesOf(id)).map(({ embedded }) => embedded)).toEqual(['clientInfo']);
    await change(id, { opposingCounselInfo: { name: `Piet Voss ${unique()}` } });
    const embedded = (await partiesOf(id)).map((party) => party.embedded);
    expect(new Set(embedded)).toEqual(new Set(['clientInfo', 'opposingCounselInfo']));
  });

  test('leaves no placeholder among names and contacts', async () => {
    const { id } = await openUnfiledCase(app, token, {
      clientInfo: { name: 'Zora Quill' } as never,
    });
    const { rows } = await app.pool.query<{ name: string; role: string }>(
      'select name, role from base.names where case_id = $1 order by role',
      [id],
    );
    expect(rows.map(({ role }) => role)).not.toContain('opposingCounsel');
    expect(rows.map(({ role }) => role)).not.toContain('judge');
    expect(rows.map(({ name }) => name)).toContain('Zora Quill');
    expect(rows.every(({ name }) => name.trim() !== '' && !/null|not filed/i.test(name))).toBe(
      true,
    );
  });
});

test('an ordinary case carries an empty list of what it lacks, and needs all fields', async () => {
  const opened = await openCase(app, token);
  expect(opened.incomplete).toEqual([]);
  const reply = await open({ ...newCase({ caseNo: '' }), notFiled: false });
  expect(reply).toMatchObject({ errors: [{ path: 'caseNo', message: 'Case No is required' }] });
});

describe('lists', () => {
  test('filter cases that lack something, page by page', async () => {
    const tag = `Lacking${unique()}`;
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1)
      ids.push((await openUnfiledCase(app, token, { caseName: `${tag} ${n}` })).id);
    await openCase(app, token, { caseName: `${tag} whole` });
    const query = { incomplete: '1', search: tag };
    const { cases, total } = (await list(query)).body;
    expect(cases.map(({ id }) => id)).toEqual(ids.toReversed());
    expect(total).toBe(3);
    const first = (await list({ ...query, limit: 2 })).body;
    const next = (await list({ ...query, limit: 2, cursor: first.nextCursor ?? '' })).body;
    expect([...first.cases, ...next.cases]).toEqual(cases);
    expect((await list({ search: tag, incomplete: '0' })).body.total).toBe(4);
    expect((await list({ incomplete: '2' })).status).toBe(400);
  });

  test.each(['sol', '-sol'])(
    'sorted by %s hold cases without a date on every page',
    async (sort) => {
      const tag = `Dated${unique()}`;
      await openUnfiledCase(app, token, { caseName: `${tag} none` });
      await openCase(app, token, { caseName: `${tag} later`, SOL: '2032-01-01' });
      await openUnfiledCase(app, token, { caseName: `${tag} none too` });
      await openCase(app, token, { caseName: `${tag} sooner`, SOL: '2031-01-01' });
      const whole = (await list({ sort, search: tag })).body.cases.map(({ SOL }) => SOL);
      const sooner = ['2031-01-01', '2032-01-01', null, null];
      expect(whole).toEqual(sort === 'sol' ? sooner : sooner.toReversed());
      const found: (string | null)[] = [];
      let cursor: string | undefined = '';
      while (cursor !== undefined) {
        const page = { sort, search: tag, limit: 1, ...(cursor && { cursor }) };
        const { body } = await list(page);
        found.push(...body.cases.map(({ SOL }) => SOL));
        cursor = body.nextCursor ?? undefined;
      }
      expect(found).toEqual(whole);
    },
  );

  test('of other places show a case without a number and without dates', async () => {
    const opened = await openUnfiledCase(app, token, { caseName: `Nowhere ${unique()}` });
    const ranked = (await list({ search: opened.caseName, ranked: '1' })).body;
    expect(ranked.cases.map(({ id }) => id)).toEqual([opened.id]);
    const overview = await app.call(dashboardRoutes.readOverview, {
      token,
      query: { today: '2026-11-25' },
    });
    const { id, caseName, caseNo, status, SOL } = opened;
    expect(overview.body.recentCases).toContainEqual({ id, caseName, caseNo, status, SOL });
    const idle = await app.call(deadlineRoutes.listIdleCases, { token, query: { case: id } });
    expect(idle.body.cases).toMatchObject([{ id, caseNo: null }]);
    const items = await app.call(calendarRoutes.readCalendar, {
      token,
      query: { from: '2020-01-01', to: '2020-02-01', case: id },
    });
    expect(items.status).toBe(200);
  });

  test('export as CSV with empty cells', async () => {
    const opened = await openUnfiledCase(app, token, { caseName: `Exported ${unique()}` });
    const query = { search: opened.caseName };
    const { text } = await app.call(caseRoutes.exportCases, { token, query });
    expect(text).toContain(opened.caseName);
    expect(text).not.toMatch(/null|undefined/);
  });
});

test('the activity of a case names the fields that were filled', async () => {
  const { id } = await openUnfiledCase(app, token);
  await change(id, { judge: 'Hon. Stone', SOL: '2031-06-01' });
  const reply = await app.call(activityRoutes.readActivity, { token, params: { id }, query: {} });
  const [latest] = reply.body.activity;
  expect(latest?.changes.map(({ label, from, to }) => [label, from, to])).toEqual([
    ['SOL', '', '2031-06-01'],
    ['Judge', '', 'Hon. Stone'],
  ]);
});

describe('an active case without a statute date', () => {
  const undated = async (query: Record<string, string | number> = {}) =>
    (await app.call(deadlineRoutes.listUndatedCases, { token, query })).body;
  const decline = (id: string, reason: unknown, as = token) =>
    app.call(caseRoutes.declineStatute, { token: as, params: { id }, body: { reason } });
  const counted = async () =>
    (await app.call(deadlineRoutes.listDeadlines, { token, query: {} })).body.counts.noStatute;

  test('is a row with its owner, until its date is entered', async () => {
    const { id, caseName, createdAt } = await openUnfiledCase(app, token, {
      assignedUsers: [admin.id],
    });
    const { id: owner, firstName, lastName } = admin;
    expect(await undated({ case: id })).toEqual({
      cases: [
        {
          case: { id, caseName, caseNo: null },
          owner: { id: owner, firstName, lastName },
          since: createdAt,
        },
      ],
      total: 1,
      nextCursor: null,
    });
    const before = await counted();
    expect((await undated()).total).toBe(before);
    expect((await undated({ case: id, owner })).total).toBe(1);
    expect((await undated({ case: id, owner: id })).total).toBe(0);
    await change(id, { SOL: '2031-01-01' });
    expect((await undated({ case: id })).total).toBe(0);
    expect(await counted()).toBe(before - 1);
  });

  test('comes in pages, the oldest first', async () => {
    await openUnfiledCase(app, token);
    await openUnfiledCase(app, token);
    const { cases } = await undated({ limit: 200 });
    const first = await undated({ limit: 1 });
    const next = await undated({ limit: 200, cursor: first.nextCursor ?? '' });
    expect([...first.cases, ...next.cases]).toEqual(cases);
  });

  test('is no row in the archive', async () => {
    const { id } = await openUnfiledCase(app, token);
    await change(id, { statusType: 'Archive' });
    expect((await undated({ case: id })).total).toBe(0);
  });

  test('may have none with a reason, which is in the record and ends with an SOL', async () => {
    const { id } = await openUnfiledCase(app, token);
    const { body } = await decline(id, ' Defense of a claim ');
    expect(body.case).toMatchObject({ noStatute: 'Defense of a claim', SOL: null });
    expect(body.case.incomplete).toEqual(ALL.filter((path) => path !== 'SOL'));
    expect((await undated({ case: id })).total).toBe(0);
    const story = await app.call(activityRoutes.readActivity, { token, params: { id }, query: {} });
    expect(story.body.activity[0]?.changes).toMatchObject([
      { label: 'No statute applies', to: 'Defense of a claim' },
    ]);
    const dated = (await change(id, { SOL: '2031-01-01' })).body.case;
    expect(dated).not.toHaveProperty('noStatute');
    expect(dated.SOL).toBe('2031-01-01');
    expect(await limitationsOf(id)).toHaveLength(1);
  });

  test('refuses to have none without a reason, with a date, without permission and unknown', async () => {
    const { id } = await openUnfiledCase(app, token);
    expect(await decline(id, ' ')).toMatchObject({
      status: 400,
      errors: [{ path: 'reason', message: 'Please enter a reason' }],
    });
    const other = await registerUser(app);
    expect((await decline(id, 'None', other.token)).status).toBe(403);
    expect((await decline(admin.id, 'None')).status).toBe(404);
    const dated = await openCase(app, token);
    expect(await decline(dated.id, 'None')).toMatchObject({ status: 409, code: 'conflict' });
    const query = {};
    const unsigned = await app.call(deadlineRoutes.listUndatedCases, { query });
    expect(unsigned).toMatchObject({ code: 'invalidToken' });
  });
});
