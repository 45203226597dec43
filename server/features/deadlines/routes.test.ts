import { randomUUID } from 'node:crypto';
import { extractText, getDocumentProxy } from 'unpdf';
import { beforeAll, describe, expect, test } from 'vitest';
import { caseRoutes, type Case } from '@matterdesk/contract/cases.ts';
import { dashboardRoutes } from '@matterdesk/contract/dashboard.ts';
import {
  deadlineRoutes as routes,
  type DeadlinePatch,
  type DeadlineWithHistory,
  type NewChange,
  type NewDeadline,
} from '@matterdesk/contract/deadlines.ts';
import { firmRoutes } from '@matterdesk/contract/firm.ts';
import { nowAt } from '../../core/dates.ts';
import { suite } from '../../testing/app.ts';
import { NOT_PERMITTED } from '../../testing/client.ts';
import {
  addDeadline,
  addEvent,
  newCase,
  newDeadline,
  openCase,
  openUnfiledCase,
  registerAdmin,
  registerUser,
  registerWith,
  type SignedInPerson,
} from '../../testing/factories.ts';

const { app, admin, docketer, author, owner, second, stranger } = suite({
  admin: registerAdmin,
  docketer: (to) => registerWith(to, { editCalendar: true }),
  author: registerUser,
  owner: registerUser,
  second: registerUser,
  stranger: registerUser,
});

let matter: Case;
beforeAll(async () => {
  matter = await openCase(app, admin.token);
});

const nameOf = (who: SignedInPerson) => ({
  id: who.id,
  firstName: who.firstName,
  lastName: who.lastName,
});

const add = (own: Partial<NewDeadline> = {}, who = author) =>
  addDeadline(app, who.token, { owner: owner.id, case: matter.id, ...own });
const addHard = (own: Partial<NewDeadline> = {}) => add({ hard: true, second: second.id, ...own });
const read = async (id: string, who = admin): Promise<DeadlineWithHistory> =>
  (await app.call(routes.readDeadline, { token: who.token, params: { id } })).body;
const verify = (id: string, who = second, date = '2038-03-03') =>
  app.call(routes.verifyDeadline, { token: who.token, params: { id }, body: { date, time: null } });
const acknowledge = (id: string, who = owner) =>
  app.call(routes.acknowledgeDeadline, { token: who.token, params: { id } });
const patch = (id: string, body: DeadlinePatch, who = owner) =>
  app.call(routes.changeDeadline, { token: who.token, params: { id }, body });
const change = (id: string, own: Partial<NewChange>, who = owner) =>
  app.call(routes.proposeChange, {
    token: who.token,
    params: { id },
    body: { action: 'move', reason: 'Stipulated', time: null, proof: '', ...own },
  });
const decide = (id: string, accept: boolean, who = second) =>
  app.call(routes.decideChange, { token: who.token, params: { id }, body: { accept, reason: '' } });
const list = async (query: Record<string, string | number>, who = admin) =>
  (await app.call(routes.listDeadlines, { token: who.token, query })).body;
const actions = async (id: string) => (await read(id)).history.map(({ action }) => action);
const limitationOf = async ({ id }: Case) =>
  (await list({ case: id, kind: 'limitation' })).deadlines[0] ?? { id: '' };

const conflict = (message: string) => ({ status: 409, code: 'conflict', message });

describe('adding a deadline', () => {
  test('is open to everyone and returns it whole', async () => {
    const added = await addHard({ workingDate: '2038-02-24', note: 'By courier' });
    expect(added).toMatchObject({
      hard: true,
      date: '2038-03-03',
      time: null,
      enteredBy: author.id,
      effectiveDate: '2038-03-03',
      status: 'open',
      verified: null,
      acknowledged: null,
      pending: null,
      imported: false,
      case: { id: matter.id, caseName: matter.caseName },
      owner: nameOf(owner),
      second: nameOf(second),
      warnDays: [30, 14, 7, 3, 1, 0],
      workingDate: '2038-02-24',
    });
    expect((await add({ case: null })).case).toBe(null);
  });

  test.each([
    [{ hard: true }, 400, 'Please select a second person'],
    [{ hard: true, second: 'owner' }, 400, 'The second person must not be the owner'],
    [{ owner: randomUUID() }, 400, 'Only active users can be assigned'],
    [{ case: randomUUID() }, 400, 'Please select any case'],
    [{ kind: 'limitation', case: null }, 400, 'Please select any case'],
    [{ kind: 'limitation' }, 400, 'A limitation is always hard'],
    [{ kind: 'limitation', hard: true, second: 'x' }, 409, 'This case has its limitation already'],
    [{ date: '2038-02-30' }, 400, 'Date must be a date'],
    [{ timeZone: 'Europe/Atlantis' }, 400, 'Time zone is unknown'],
  ] as const)('refuses %j', async (own, status, message) => {
    const input = newDeadline({ owner: owner.id, case: matter.id, ...own });
    const named = 'second' in own && own.second === 'owner' ? owner.id : input.second;
    const body = { ...input, second: named ?? null };
    expect(await app.call(routes.addDeadline, { token: author.token, body })).toMatchObject({
      status,
      message,
    });
  });

  test('warns of a hard one at least on the usual days', async () => {
    expect((await addHard({ warnDays: [60, 7] })).warnDays).toEqual([60, 30, 14, 7, 3, 1, 0]);
    expect((await add({ warnDays: [5] })).warnDays).toEqual([5]);
  });
});

describe('verifying', () => {
  test('takes another person than the author of the date', async () => {
    const { id } = await addHard();
    expect(await verify(id, author)).toMatchObject(NOT_PERMITTED);
    expect((await verify(id)).body.verified).toMatchObject({ by: nameOf(second) });
    expect(await verify(id)).toMatchObject(conflict('This date is verified already'));
    expect(await verify((await add()).id)).toMatchObject(
      conflict('Only hard deadlines are verified'),
    );
  });

  test('refuses a different date with both, and records it', async () => {
    const { id } = await addHard();
    expect(await verify(id, second, '2038-03-05')).toMatchObject(
      conflict('The dates differ: Mar 3, 2038 and Mar 5, 2038'),
    );
    const { verified, history } = await read(id);
    expect(verified).toBe(null);
    expect(history).toContainEqual(
      expect.objectContaining({
        action: 'mismatched',
        by: nameOf(second),
        to: { date: '2038-03-05', time: null },
      }),
    );
  });

  test('begins anew when a date that is not verified is corrected', async () => {
    const { id } = await addHard();
    const correction = { date: '2038-03-09', reason: 'Misread the stamp' };
    for (const who of [second, stranger])
      expect(await patch(id, correction, who)).toMatchObject(NOT_PERMITTED);
    expect(await patch(id, { date: '2038-03-09' }, author)).toMatchObject({
      status: 400,
      message: 'Please enter a reason',
    });
    expect((await patch(id, correction, author)).body).toMatchObject({ date: '2038-03-09' });
    expect(await verify(id, author, '2038-03-09')).toMatchObject(NOT_PERMITTED);
    expect((await patch(id, { ...correction, date: '2038-03-10' }, docketer)).body.date).toBe(
      '2038-03-10',
    );
    // The last correction is whose date it is.
    expect(await verify(id, docketer, '2038-03-10')).toMatchObject(NOT_PERMITTED);
    expect(await verify(id, second, '2038-03-10')).toMatchObject({ status: 200 });
    expect(await patch(id, correction, owner)).toMatchObject(
      conflict('Move this date with a change'),
    );
  });
});

describe('a change of a hard deadline', () => {
  const verified = async (own: Partial<NewDeadline> = {}) => {
    const added = await addHard(own);
    await verify(added.id);
    return added;
  };

  test('cannot move a date that is not verified', async () => {
    const { id } = await addHard();
    expect(await change(id, { date: '2038-04-01' })).toMatchObject(
      conflict('Verify the date first'),
    );
  });

  test('waits for another person, and till then the earlier date stays in effect', async () => {
    const { id } = await verified();
    const { body } = await change(id, { date: '2038-02-01' });
    expect(body).toMatchObject({
      date: '2038-03-03',
      effectiveDate: '2038-02-01',
      pending: { action: 'move', date: '2038-02-01', reason: 'Stipulated', by: nameOf(owner) },
    });
    expect(await change(id, { action: 'vacate' })).toMatchObject(
      conflict('A change is already waiting'),
    );
    for (const who of [owner, author, stranger])
      expect(await decide(id, true, who)).toMatchObject(NOT_PERMITTED);
    expect((await decide(id, false)).body).toMatchObject({
      date: '2038-03-03',
      effectiveDate: '2038-03-03',
      pending: null,
      verified: { by: nameOf(second) },
    });
    expect(await decide(id, true)).toMatchObject(conflict('No change is waiting'));
    expect((await change(id, { date: '2038-05-01' })).body.effectiveDate).toBe('2038-03-03');
    await acknowledge(id);
    expect((await decide(id, true, docketer)).body).toMatchObject({
      date: '2038-05-01',
      effectiveDate: '2038-05-01',
      pending: null,
      enteredBy: owner.id,
      verified: null,
      acknowledged: null,
    });
    // Its proposer has entered the new date.
    expect(await verify(id, owner, '2038-05-01')).toMatchObject(NOT_PERMITTED);
    expect(await verify(id, author, '2038-05-01')).toMatchObject({ status: 200 });
  });

  test('needs a reason, a date to move to, and proof to complete', async () => {
    const { id } = await verified();
    const refused = (message: string) => ({ status: 400, message });
    expect(await change(id, { reason: ' ', action: 'vacate' })).toMatchObject(
      refused('Please enter a reason'),
    );
    expect(await change(id, {})).toMatchObject(refused('Date is required'));
    expect(await change(id, { action: 'complete' })).toMatchObject(
      refused('Please say what proves it'),
    );
    await change(id, { action: 'complete', proof: 'Stamped copy' });
    expect((await decide(id, true)).body).toMatchObject({ status: 'done', pending: null });
    expect(await change(id, { action: 'vacate' })).toMatchObject(
      conflict('This deadline is not open'),
    );
    await change(id, { action: 'reopen' });
    expect((await read(id)).status).toBe('done');
    expect((await decide(id, true)).body.status).toBe('open');
  });

  test('of a soft one is made at once, by its owner or an editor of the calendar', async () => {
    const { id } = await add();
    for (const who of [author, stranger])
      expect(await change(id, { date: '2038-04-01' }, who)).toMatchObject(NOT_PERMITTED);
    expect((await change(id, { date: '2038-04-01' })).body).toMatchObject({
      date: '2038-04-01',
      pending: null,
    });
    expect((await change(id, { action: 'complete' }, docketer)).body.status).toBe('done');
  });
});

describe('other members', () => {
  test('are changed by the owner and by editors of the calendar', async () => {
    const { id } = await addHard();
    for (const who of [author, second, stranger])
      expect(await patch(id, { title: 'X' }, who)).toMatchObject(NOT_PERMITTED);
    await acknowledge(id);
    expect((await patch(id, { title: 'Reply brief' })).body).toMatchObject({
      title: 'Reply brief',
      acknowledged: { by: nameOf(owner) },
    });
    expect((await patch(id, { owner: stranger.id }, docketer)).body).toMatchObject({
      owner: nameOf(stranger),
      acknowledged: null,
    });
    const samePerson = { status: 400, message: 'The second person must not be the owner' };
    expect(await patch(id, { second: stranger.id }, docketer)).toMatchObject(samePerson);
    expect(await patch(id, { second: null }, docketer)).toMatchObject({ status: 400 });
  });

  test('keep the warnings of a hard deadline', async () => {
    const { id } = await addHard();
    expect(await patch(id, { warnDays: [7] })).toMatchObject(
      conflict('Warnings of a hard deadline can only be added'),
    );
    const more = [45, 30, 14, 7, 3, 1, 0];
    expect((await patch(id, { warnDays: more })).body.warnDays).toEqual(more);
  });

  test('acknowledging is for the owner', async () => {
    const { id } = await addHard();
    for (const who of [author, second, docketer])
      expect(await acknowledge(id, who)).toMatchObject(NOT_PERMITTED);
    expect((await acknowledge(id)).body.acknowledged).toMatchObject({ by: nameOf(owner) });
  });
});

describe('history', () => {
  test('tells who did and saw what, and nothing of it can be changed', async () => {
    const { id } = await addHard();
    await verify(id, second, '2038-03-05');
    await verify(id);
    await read(id, stranger);
    await read(id, stranger);
    await change(id, { date: '2038-04-01' });
    expect(await actions(id)).toEqual([
      'seen',
      'proposed',
      'seen',
      'verified',
      'mismatched',
      'created',
    ]);
    await expect(app.pool.query('delete from base.deadlines')).rejects.toThrow('append-only');
    const history = 'base.deadline_history';
    await expect(app.pool.query(`delete from ${history}`)).rejects.toThrow('permission denied');
    await expect(app.pool.query(`update ${history} set at = at`)).rejects.toThrow('append-only');
  });

  test('is a chain of hashes', async () => {
    const { id } = await addHard();
    await verify(id);
    const broken = `
      select h.id from (select h.*, coalesce(lag(h.hash) over (order by h.id), '') as before
        from base.deadline_history h where deadline_id = $1) h
      where h.hash <> base.hash_of_deadline_entry((select o from base.deadline_history o where o.id = h.id), h.before)`;
    expect((await app.pool.query(broken, [id])).rows).toEqual([]);
    const { history } = await read(id);
    expect(new Set(history.map(({ hash }) => hash)).size).toBe(history.length);
  });
});

describe('the PDF of a matter', () => {
  test('holds every deadline with its whole history and sound hashes, in its files', async () => {
    const opened = await openCase(app, admin.token, { caseName: 'Export v. Insurer' });
    const { id } = await addHard({ case: opened.id, title: 'Reply brief' });
    await verify(id, second, '2038-03-05');
    await verify(id);
    const { history } = await read(id);
    const reply = await app.call(routes.exportDeadlines, {
      token: author.token,
      body: { case: opened.id },
    });
    expect(reply).toMatchObject({ status: 201 });
    const headers = { 'x-auth-token': author.token };
    const file = await fetch(app.url + reply.body.url, { headers });
    const pdf = await getDocumentProxy(new Uint8Array(await file.arrayBuffer()));
    const { text } = await extractText(pdf, { mergePages: true });
    for (const shown of [
      'Deadlines of Export v. Insurer',
      'Reply brief: Mar 3, 2038, end of the day',
      'Statute of limitations',
      'mismatched',
      'Verified by',
      ...history.map(({ hash }) => hash),
    ])
      expect(text).toContain(shown);
    expect(text).not.toContain('BROKEN');
    expect(text).toMatch(/End of record: \d+ entries/);
    const unknown = { case: randomUUID() };
    expect(
      await app.call(routes.exportDeadlines, { token: author.token, body: unknown }),
    ).toMatchObject({ status: 400, message: 'Please select any case' });
  });

  test('says of a matter that is not filed yet that it has no number', async () => {
    const opened = await openUnfiledCase(app, admin.token, { caseName: 'Unfiled v. Insurer' });
    await addHard({ case: opened.id, title: 'Notice of claim' });
    const body = { case: opened.id };
    const reply = await app.call(routes.exportDeadlines, { token: author.token, body });
    const headers = { 'x-auth-token': author.token };
    const file = await fetch(app.url + reply.body.url, { headers });
    const pdf = await getDocumentProxy(new Uint8Array(await file.arrayBuffer()));
    const { text } = await extractText(pdf, { mergePages: true });
    expect(text).toContain('Unfiled v. Insurer, Not filed');
    expect(text).toContain('Notice of claim: Mar 3, 2038');
  });

  // It is always another day in one of them.
  test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])(
    'is named for the day of a firm in %s',
    async (timeZone) => {
      const { token } = admin;
      await app.call(firmRoutes.changeFirm, { token, body: { timeZone } });
      const body = { case: (await openCase(app, token)).id };
      const reply = await app.call(routes.exportDeadlines, { token, body });
      await app.call(firmRoutes.changeFirm, { token, body: { timeZone: 'UTC' } });
      expect(reply.body.url).toContain(`%20${nowAt(new Date(), timeZone).day}`);
    },
  );
});

describe('the limitation of a case', () => {
  test('comes with the case and belongs to the first assigned person', async () => {
    const opened = await openCase(app, admin.token, { assignedUsers: [owner.id] });
    expect(await limitationOf(opened)).toMatchObject({
      kind: 'limitation',
      hard: true,
      date: opened.SOL,
      imported: false,
      title: 'Statute of limitations',
      owner: nameOf(owner),
      second: null,
    });
    expect(await limitationOf(matter)).toMatchObject({ owner: nameOf(admin) });
  });

  test('has the owner and the second that its case is opened with', async () => {
    const people = (own: object) => newCase({ limitation: own });
    const asked = { owner: owner.id, second: second.id };
    const opened = await openCase(app, admin.token, people(asked));
    expect(await limitationOf(opened)).toMatchObject({
      owner: nameOf(owner),
      second: nameOf(second),
    });
    const refused = (own: object) =>
      app.call(caseRoutes.openCase, { token: admin.token, body: people(own) });
    const path = 'limitation.second';
    expect(await refused({ ...asked, second: asked.owner })).toMatchObject({
      status: 400,
      errors: [{ path, message: 'The second person must not be the owner' }],
    });
    expect(await refused({ ...asked, second: randomUUID() })).toMatchObject({
      status: 400,
      errors: [{ path, message: 'Only active users can be assigned' }],
    });
  });

  test('follows the SOL, and the earlier date stays in effect till it is verified', async () => {
    const opened = await openCase(app, admin.token, { SOL: '2038-06-01' });
    const { id } = await limitationOf(opened);
    await verify(id, second, '2038-06-01');
    const setSol = (SOL: string) =>
      app.call(caseRoutes.changeCase, {
        token: admin.token,
        params: { id: opened.id },
        body: { SOL },
      });
    await setSol('2039-06-01');
    expect(await read(id)).toMatchObject({
      date: '2039-06-01',
      effectiveDate: '2038-06-01',
      verified: null,
    });
    expect(await verify(id, admin, '2039-06-01')).toMatchObject(NOT_PERMITTED);
    expect((await verify(id, second, '2039-06-01')).body.effectiveDate).toBe('2039-06-01');
    await setSol('2026-12-01');
    expect((await read(id)).effectiveDate).toBe('2026-12-01');
  });

  test('sets the SOL when a move of it is decided', async () => {
    const opened = await openCase(app, admin.token, { SOL: '2038-06-01' });
    const { id } = await limitationOf(opened);
    await verify(id, second, '2038-06-01');
    await change(id, { date: '2038-07-01' }, admin);
    await decide(id, true, docketer);
    const { body } = await app.call(caseRoutes.readCase, {
      token: author.token,
      params: { id: opened.id },
    });
    expect(body.case.SOL).toBe('2038-07-01');
  });
});

describe('the list', () => {
  test('is ordered by the date in effect, in pages', async () => {
    const opened = await openCase(app, admin.token, { SOL: '2040-01-01' });
    const dates = ['2038-05-01', '2038-01-05', '2038-03-01'];
    for (const date of dates) await add({ case: opened.id, date });
    const first = await list({ case: opened.id, limit: 3 });
    expect(first.deadlines.map(({ date }) => date)).toEqual(dates.toSorted());
    expect(first.total).toBe(4);
    const rest = await list({ case: opened.id, limit: 3, cursor: first.nextCursor ?? '' });
    expect(rest.deadlines.map(({ date }) => date)).toEqual(['2040-01-01']);
    expect(rest.nextCursor).toBe(null);
    const between = await list({ case: opened.id, from: '2038-02-01', to: '2038-05-01' });
    expect(between.total).toBe(2);
    expect((await list({ case: randomUUID() })).total).toBe(0);
    expect((await list({ owner: 'x' })).total).toBe(0);
  });

  test('finds what needs attention, and what waits for the reader', async () => {
    const opened = await openCase(app, admin.token);
    const inCase = { case: opened.id };
    const { id } = await addHard(inCase);
    const overdue = await add({ ...inCase, date: '2020-01-01' });
    const found = async (query: Record<string, string>, who?: SignedInPerson) =>
      (await list({ ...inCase, kind: 'response', ...query }, who)).deadlines.map((d) => d.id);
    expect(await found({ attention: 'unverified' })).toEqual([id]);
    expect(await found({ attention: 'overdue' })).toEqual([overdue.id]);
    expect(await found({ attention: 'unacknowledged' })).toEqual([id]);
    expect(await found({ attention: 'mine' }, second)).toEqual([id]);
    expect(await found({ attention: 'mine' }, owner)).toEqual([id]);
    expect(await found({ attention: 'mine' }, stranger)).toEqual([]);
    await Promise.all([verify(id), acknowledge(id)]);
    expect(await found({ attention: 'mine' }, second)).toEqual([]);
    expect(await found({ attention: 'mine' }, owner)).toEqual([]);
    await change(id, { date: '2038-08-01' });
    expect(await found({ attention: 'pending' })).toEqual([id]);
    expect(await found({ attention: 'mine' }, second)).toEqual([id]);
    expect(await found({ attention: 'mine' }, owner)).toEqual([]);
    expect((await list({}, second)).counts.waiting).toBeGreaterThan(0);
  });

  test('leaves archived matters out of what waits and of the counts, and filters by them', async () => {
    const opened = await openCase(app, admin.token, { SOL: '2020-01-01' });
    await add({ case: opened.id, date: '2020-01-01' });
    const found = async (query: Record<string, string> = {}, who = owner) =>
      (await list({ case: opened.id, ...query }, who)).total;
    const ofMatters = async () => [
      await found(),
      await found({ matters: 'active' }),
      await found({ matters: 'archived' }),
      await found({ attention: 'mine' }, admin),
    ];
    const callsOf = async (who: SignedInPerson) =>
      (await app.call(dashboardRoutes.readOverview, { token: who.token, query: {} })).body;
    const before = [(await list({})).counts, await callsOf(owner)] as const;
    expect(await ofMatters()).toEqual([2, 2, 0, 1]);
    const archive = { params: { id: opened.id }, body: { statusType: 'Archive' } } as const;
    await app.call(caseRoutes.changeCase, { token: admin.token, ...archive });
    expect(await ofMatters()).toEqual([2, 0, 2, 0]);
    const after = [(await list({})).counts, await callsOf(owner)] as const;
    expect(after[0].overdue).toBe(before[0].overdue - 2);
    expect(after[0].limitation).toBe(before[0].limitation - 1);
    expect(after[1].counts.deadlines).toBe(before[1].counts.deadlines - 1);
    expect(after[1].digest.deadlines).toBe(before[1].digest.deadlines - 1);
  });

  test('names active cases with nothing ahead', async () => {
    const [idle, busy, met] = [
      await openCase(app, admin.token),
      await openCase(app, admin.token),
      await openCase(app, admin.token),
    ];
    await add({ case: busy.id, date: '2099-01-01' });
    const times = { start: '2099-01-01T10:00:00.000Z', end: '2099-01-01T11:00:00.000Z' };
    await addEvent(app, admin.token, { case: met.id, ...times });
    const { body } = await app.call(routes.listIdleCases, {
      token: stranger.token,
      query: { limit: 200 },
    });
    const ids = body.cases.map(({ id }) => id);
    expect([idle, busy, met].map(({ id }) => ids.includes(id))).toEqual([true, false, false]);
    expect(body.total).toBe((await list({})).counts.noNextDate);
  });
});

test('without dual control no second person is needed, and history says so', async () => {
  const set = (dualControl: boolean) =>
    app.call(firmRoutes.changeFirm, { token: admin.token, body: { dualControl } });
  await set(false);
  try {
    const { id } = await add({ hard: true });
    await verify(id, author);
    expect((await change(id, { date: '2038-04-01' })).body).toMatchObject({
      date: '2038-04-01',
      pending: null,
    });
    const { history } = await read(id);
    const without = history.filter(({ to }) => JSON.stringify(to).includes('withoutSecond'));
    expect(without.map(({ action }) => action)).toEqual(['moved', 'verified', 'created']);
  } finally {
    await set(true);
  }
});
