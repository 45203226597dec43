import { beforeAll, describe, expect, test } from 'vitest';
import { caseRoutes, type Case } from '@matterdesk/contract/cases.ts';
import {
  alertRoutes,
  conflictRoutes as routes,
  type AskedName,
  type Hit,
  type NameSearch,
  type NewDecision,
} from '@matterdesk/contract/conflicts.ts';
import { SESSION_COOKIE } from '../../http/authenticate.ts';
import { suite } from '../../testing/app.ts';
import {
  openCase,
  registerAdmin,
  register,
  registerUser,
  registerWith,
  type SignedInPerson,
  restrict,
} from '../../testing/factories.ts';
import { textOf } from '../../testing/papers.ts';
import { upload } from '../../testing/training.ts';

const { app, lead, stranger, clerk } = suite({
  lead: (to) => registerWith(to, { createCases: true }),
  stranger: registerUser,
  clerk: (to) => registerWith(to, { clearConflicts: true }),
});

let matter: Case;
let walled: Case;

beforeAll(async () => {
  await registerAdmin(app);
  matter = await openCase(app, lead.token, {
    caseName: 'Fernández v. Calloway Foods',
    clientInfo: partyOf('Robert Fernández', 'rob@fernandez.example', '+1 518 555 0142'),
    opposingCounselInfo: {
      ...partyOf('Ursula Thompson', 'ursula@thompson.example', '+1 518 555 0143'),
      organization: 'Thompson Logistics, LLC',
    },
    judge: 'Hon. Octavia Butler',
  });
  walled = await openCase(app, lead.token, {
    caseName: 'Meyer Haulage v. Harbor Transit',
    assignedUsers: [lead.id],
    clientInfo: partyOf('Meyer Haulage', 'office@meyer.example', '+1 518 555 0150'),
  });
  await restrict(app, { token: lead.token, id: walled.id });
});

function partyOf(name: string, email: string, phoneNumber: string) {
  return { name, email, phoneNumber, address: '1 Main Street' };
}

const named = (name: string, own: Partial<AskedName> = {}): AskedName => ({
  name,
  role: null,
  emails: [],
  phoneNumbers: [],
  otherNames: [],
  ...own,
});

async function look(
  names: AskedName[],
  { person = lead, ...about }: { person?: SignedInPerson } & Partial<NameSearch> = {},
): Promise<Hit[]> {
  const { token } = person;
  const reply = await app.call(routes.lookForConflicts, { token, body: { names, ...about } });
  expect(reply.status).toBe(200);
  return reply.body.hits;
}

/** A hit in short. */
function brief(hit: Hit | undefined) {
  if (hit === undefined) return undefined;
  if (hit.severity === 'hidden') return `hidden, ask ${hit.ask.map((p) => p.id).join()}`;
  return `${hit.severity} ${hit.match} ${hit.found.role} ${hit.found.name}`;
}

describe('a look', () => {
  test.each([
    ['Bob Fernandez', 'opposingParty', 'direct nickname client Robert Fernández'],
    ['Fernandez, Robert', 'client', 'known exact client Robert Fernández'],
    ['Roberto Fernandes', 'witness', 'related phonetic client Robert Fernández'],
    ['Ursula Tomson', null, 'direct fuzzy opposingCounsel Ursula Thompson'],
    ['THOMPSON LOGISTICS INC', 'client', 'direct exact opposingCounsel Thompson Logistics, LLC'],
    ['Octavia Butler', 'judge', 'known exact judge Hon. Octavia Butler'],
    ['Calloway Foods Holdings', 'client', 'mention partial caseName Calloway Foods'],
  ] as const)('finds %s, %s: %s', async (name, role, expected) => {
    const [hit] = await look([named(name, { role })]);
    expect(brief(hit)).toBe(expected);
  });

  test('finds identifiers whatever the name is, and says which', async () => {
    const asked = named('Quite Another', {
      role: 'opposingParty',
      phoneNumbers: ['(518) 555-0142'],
    });
    const [hit] = await look([asked]);
    expect(hit).toMatchObject({
      severity: 'direct',
      match: 'identifier',
      reason: 'Same phone number: +15185550142.',
      found: { case: { id: matter.id, caseName: matter.caseName, statusType: 'Active' } },
    });
  });

  test('finds people of the firm and files, and nothing where nothing is', async () => {
    const { firstName, lastName, token } = stranger;
    const place = { caseId: matter.id, folder: 'Evidence', name: 'Quimby deposition.txt' };
    await upload({ url: app.url, token }, place, Buffer.from('x'));
    const hits = await look([
      named(`${lastName}, ${firstName}`),
      named('Quimby'),
      named('Zebulon Quarrington'),
    ]);
    expect(hits.filter(({ name }) => name === 0).map(brief)).toContain(
      `personal exact person ${firstName} ${lastName}`,
    );
    expect(hits.filter(({ name }) => name === 1).map(brief)).toEqual([
      'mention partial fileName Quimby deposition',
    ]);
    expect(hits.filter(({ name }) => name === 2)).toEqual([]);
  });

  test('leaves out the names of its own subject', async () => {
    const names = [named('Robert Fernández')];
    expect(await look(names, { caseId: matter.id })).toEqual([]);
    expect((await look(names)).length).toBe(1);
  });

  test('says of a walled matter only whom to ask, and only for a whole name', async () => {
    const asked = [named('Maier Haulage'), named('Meyer Haulage Partners'), named('Meyer Hualage')];
    const hits = await look(asked, { person: stranger });
    expect(hits.map((hit) => [hit.name, brief(hit)])).toEqual([[0, `hidden, ask ${lead.id}`]]);
    expect(Object.keys(hits[0] ?? {}).toSorted()).toEqual(
      ['ask', 'id', 'name', 'severity'].toSorted(),
    );
    expect((await look([named('Maier Haulage')])).map(brief)).toContain(
      'direct phonetic client Meyer Haulage',
    );
  });

  test('misses no client behind thousands of mentions of the name', async () => {
    const clientInfo = partyOf('Quillfeather Insurance', 'q@quill.example', '+1 518 555 0177');
    const first = await openCase(app, lead.token, { clientInfo });
    await app.pool.query(
      `insert into base.names (source, source_id, owner_id, role, name, identifiers, words, is_checked)
        select 'correspondents', gen_random_uuid(), $1, 'correspondent', name, '{}', words, true
        from (select name, words from base.names where name = $2 limit 1) known, generate_series(1, 2500)`,
      [lead.id, clientInfo.name],
    );
    const last = await openCase(app, lead.token, {
      clientInfo: { ...clientInfo, email: 'other@quill.example', phoneNumber: '+1 518 555 0178' },
    });
    const hits = await look([named('Quillfeather Insurance', { role: 'opposingParty' })]);
    const direct = hits.flatMap((hit) =>
      hit.severity === 'direct' ? (hit.found.case?.id ?? []) : [],
    );
    expect(new Set(direct)).toEqual(new Set([first.id, last.id]));
  });

  test('is recorded without the names', async () => {
    await look([named('Never Recorded')], { person: stranger });
    const { rows } = await app.pool.query<{ entry: string }>(
      `select to_jsonb(a)::text as entry from audit_log a
       where action = 'looked' and actor_id = $1 order by id desc limit 1`,
      [stranger.id],
    );
    expect(rows[0]?.entry).toContain('"names": 1');
    expect(rows[0]?.entry).not.toContain('Never');
  });

  test('refuses no names, too many, two subjects and unknown ones', async () => {
    const refusedOf = async (body: object) =>
      (await app.call(routes.lookForConflicts, { token: lead.token, body })).message;
    const names = [named('Anyone')];
    expect(await refusedOf({ names: [] })).toBe('Please enter a name');
    expect(await refusedOf({ names: Array.from({ length: 11 }, () => names[0]) })).toBe(
      'Names can have at most 10 entries',
    );
    expect(await refusedOf({ names, caseId: 'a', intakeId: 'b' })).toContain('not both');
    expect(await refusedOf({ names, caseId: 'unknown' })).toBe('Please select any case');
    const { token } = stranger;
    const hidden = await app.call(routes.lookForConflicts, {
      token,
      body: { names, caseId: walled.id },
    });
    expect([hidden.status, hidden.message]).toEqual([400, 'Please select any case']);
  });
});

describe('names', () => {
  test('follow a change of their case, and the removal of their file', async () => {
    const { id } = await openCase(app, lead.token, { judge: 'Hon. Ignatius Perrywinkle' });
    const findJudge = () => look([named('Ignatius Perrywinkle', { role: 'judge' })]);
    expect((await findJudge()).length).toBe(1);
    await app.call(caseRoutes.changeCase, {
      token: lead.token,
      params: { id },
      body: { judge: 'Hon. Wilhelmina Osgood' },
    });
    expect(await findJudge()).toEqual([]);
    const place = { caseId: id, folder: 'Evidence', name: 'Bartleby ledger.txt' };
    const url = await upload({ url: app.url, token: lead.token }, place, Buffer.from('x'));
    expect((await look([named('Bartleby')])).length).toBe(1);
    await app.request(url, { method: 'DELETE', headers: { 'x-auth-token': lead.token } });
    expect(await look([named('Bartleby')])).toEqual([]);
  });

  test('are there for every case, user and file, also for those that came without the product', async () => {
    await app.pool.query(`delete from base.names`);
    await app.pool.query(`delete from name_words`);
    await app.completeRows();
    const counts = `select source, count(distinct source_id)::int as count from base.names group by source`;
    const wanted = `select
        (select count(*)::int from base.cases) as cases, (select count(*)::int from users) as users,
        (select count(*)::int from base.files where deleted_at is null) as files`;
    const { rows } = await app.pool.query<{ source: string; count: number }>(counts);
    const { rows: all } = await app.pool.query(wanted);
    const found = new Map(rows.map(({ source, count }) => [source, count]));
    expect({
      cases: found.get('parties'),
      users: found.get('people'),
      files: found.get('fileNames'),
    }).toEqual(all[0]);
    expect(found.get('caseNames')).toBe(found.get('parties'));
    const [hit] = await look([named('Bob Fernandez', { role: 'opposingParty' })]);
    expect(brief(hit)).toBe('direct nickname client Robert Fernández');
  });

  test('have their words counted when they are added, and all of them once a day', async () => {
    const word = 'quillfeather';
    const count = async () => {
      const sql = 'select max(n) as n from name_words where word = $1';
      return (await app.pool.query<{ n: number | null }>(sql, [word])).rows[0]?.n ?? null;
    };
    const clientInfo = partyOf('Ottilie Quillfeather', 'ottilie@quill.example', '+1 518 555 0177');
    await openCase(app, lead.token, { clientInfo });
    await app.countNames();
    const first = (await count()) ?? 0;
    expect(first).toBeGreaterThan(0);
    await app.countNames();
    expect(await count()).toBe(first);
    await app.pool.query(`update name_words set n = 1000 where word = $1`, [word]);
    await app.completeRows();
    expect(await count()).toBe(first);
  });

  test('are counted by one process at a time, since an earlier count would overwrite theirs', async () => {
    await app.countNames();
    const other = await app.pool.connect();
    try {
      await other.query('begin; select from name_counts for update');
      const counting = app.completeRows();
      const isWaiting = async () =>
        (await app.pool.query<{ waiting: boolean }>(WAITING)).rows[0]?.waiting;
      await expect.poll(isWaiting).toBe(true);
      await other.query('commit');
      await counting;
    } finally {
      other.release();
    }
  });
});

const WAITING = `select exists (select from pg_stat_activity where datname = current_database()
  and wait_event_type = 'Lock' and query like '%name_counts%') as waiting`;

describe('a kept check', () => {
  const run = (person: SignedInPerson, names: AskedName[], own: object = {}) =>
    app.call(routes.runCheck, { token: person.token, body: { names, texts: false, ...own } });

  test('holds what was found, and each reader sees it through their own walls', async () => {
    const names = [named('Maier Haulage', { role: 'opposingParty' })];
    const kept = await run(clerk, names);
    expect(kept.status).toBe(201);
    const { id, sha256, number } = kept.body.check;
    expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    const read = async ({ token }: SignedInPerson) =>
      (await app.call(routes.readCheck, { token, params: { id } })).body.check;
    expect((await read(stranger)).hits.map(brief)).toContain(`hidden, ask ${lead.id}`);
    expect((await read(lead)).hits.map(brief)).toContain('direct phonetic client Meyer Haulage');
    const { searched } = await read(lead);
    expect(searched.map(({ source }) => source)).toEqual(
      expect.arrayContaining(['parties', 'people', 'caseNames']),
    );
    const list = await app.call(routes.listChecks, {
      token: stranger.token,
      query: { search: 'maier' },
    });
    expect(list.body.checks.map((check) => check.number)).toEqual([number]);
  });

  test('about a walled matter is unknown to others', async () => {
    const kept = await run(lead, [named('Another Person')], { caseId: walled.id });
    const { id } = kept.body.check;
    const params = { id };
    const hidden = await app.call(routes.readCheck, { token: stranger.token, params });
    expect([hidden.status, hidden.message]).toEqual([404, 'Conflict check not found']);
    const query = { caseId: walled.id };
    const list = await app.call(routes.listChecks, { token: stranger.token, query });
    expect(list.body).toMatchObject({ checks: [], total: 0 });
    const own = await app.call(routes.listChecks, { token: lead.token, query });
    expect(own.body.checks.map((check) => check.id)).toContain(id);
  });

  test('cannot be changed in the database', async () => {
    for (const table of ['base.conflict_checks', 'base.conflict_entries']) {
      await expect(app.pool.query(`update ${table} set at = at`)).rejects.toThrow('is append-only');
      for (const change of [`delete from ${table}`, `truncate ${table} cascade`])
        await expect(app.pool.query(change)).rejects.toThrow('permission denied');
    }
  });
});

describe('decisions', () => {
  const run = async (names: AskedName[], own: object = {}) =>
    (await app.call(routes.runCheck, { token: clerk.token, body: { names, texts: false, ...own } }))
      .body.check;
  const decide = (id: string, own: Partial<NewDecision>, { token } = clerk) =>
    app.call(routes.decideHits, {
      token,
      params: { id },
      body: { hitIds: [], decision: 'noConflict', reason: 'Another person', screened: [], ...own },
    });
  const conclude = (id: string, { token } = clerk) =>
    app.call(routes.concludeCheck, {
      token,
      params: { id },
      body: { outcome: 'cleared', reason: 'Nothing stands against it' },
    });

  test('are needed for every hit above known, and end with the conclusion', async () => {
    const names = [named('Bob Fernandez', { role: 'opposingParty' })];
    const check = await run(names);
    const [hit] = check.hits;
    const hitIds = [hit?.id ?? ''];
    expect((await conclude(check.id)).message).toBe('1 hit has no decision');
    expect((await decide(check.id, { hitIds: ['unknown'] })).status).toBe(400);
    expect((await decide(check.id, { hitIds, decision: 'asked' })).status).toBe(400);
    expect((await decide(check.id, { hitIds, decision: 'waiver' })).message).toBe(
      'Please attach the waiver',
    );
    const decided = (await decide(check.id, { hitIds })).body.check;
    expect(decided.hits[0]).toMatchObject({
      decisions: [{ decision: 'noConflict', reason: 'Another person', by: { id: clerk.id } }],
    });
    const concluded = (await conclude(check.id)).body.check;
    expect(concluded.concluded).toMatchObject({ outcome: 'cleared', by: { id: clerk.id } });
    const seals = [check, decided, concluded].map(({ sha256 }) => sha256);
    expect(new Set(seals).size).toBe(3);
    expect((await decide(check.id, { hitIds })).message).toBe('Run it again');
    expect((await conclude(check.id)).message).toBe('Run it again');
    const again = await app.call(routes.rerunCheck, {
      token: clerk.token,
      params: { id: check.id },
    });
    expect(again.body.check).toMatchObject({ rerunOf: check.id, concluded: null });
    expect(again.body.check.hits[0]).toMatchObject({
      decisions: [],
      before: [{ decision: 'noConflict', reason: 'Another person' }],
    });
  });

  test('and another run, sent again with their keys, are on record once', async () => {
    const { token } = clerk;
    const { id, hits } = await run([named('Bob Fernandez', { role: 'opposingParty' })]);
    const hitIds = hits.map((hit) => hit.id);
    const body = { hitIds, decision: 'noConflict' as const, reason: 'A namesake', screened: [] };
    const call = { token, params: { id }, headers: { 'idempotency-key': crypto.randomUUID() } };
    const send = () => app.call(routes.decideHits, { ...call, body });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body.check.hits[0]).toMatchObject({ decisions: [{ reason: 'A namesake' }] });
    const other = { ...call, headers: { 'idempotency-key': crypto.randomUUID() } };
    const again = await app.call(routes.rerunCheck, other);
    expect(again.status).toBe(201);
    const repeated = await app.call(routes.rerunCheck, other);
    expect(repeated.body.check.id).toBe(again.body.check.id);
  });

  test('about a hidden hit say what was answered', async () => {
    const check = await run([named('Maier Haulage', { role: 'client' })]);
    const hidden = check.hits.filter(({ severity }) => severity === 'hidden');
    const hitIds = hidden.map(({ id }) => id);
    expect(hitIds).toHaveLength(1);
    expect((await conclude(check.id)).status).toBe(409);
    expect((await decide(check.id, { hitIds })).message).toBe('A hidden hit is decided by asking');
    const asked = await decide(check.id, {
      hitIds,
      decision: 'asked',
      reason: 'Not adverse, says the lead',
    });
    expect(asked.status).toBe(200);
    expect((await conclude(check.id)).status).toBe(200);
  });

  test('that wall off screen their people from the matter at once', async () => {
    const manager = await registerWith(app, { clearConflicts: true, createCases: true });
    const subject = await openCase(app, lead.token, { assignedUsers: [lead.id] });
    const names = [named('Bob Fernandez', { role: 'opposingParty' })];
    const check = await run(names, { caseId: subject.id });
    const walledOff = await decide(
      check.id,
      {
        hitIds: check.hits.map(({ id }) => id),
        decision: 'wall',
        reason: 'Worked for Fernández',
        screened: [stranger.id],
      },
      manager,
    );
    expect(walledOff.status).toBe(200);
    const params = { id: subject.id };
    const lost = await app.call(caseRoutes.readCase, { token: stranger.token, params });
    expect(lost.status).toBe(404);
  });

  test('are made only by users who clear conflicts', async () => {
    const check = await run([named('Bob Fernandez', { role: 'opposingParty' })]);
    const hitIds = check.hits.map(({ id }) => id);
    for (const reply of [await decide(check.id, { hitIds }, lead), await conclude(check.id, lead)])
      expect([reply.status, reply.code]).toEqual([403, 'notPermitted']);
  });
});

describe('an alert', () => {
  const list = async ({ token }: SignedInPerson, decided = '0') =>
    (await app.call(alertRoutes.listAlerts, { token, query: { decided } })).body.alerts;

  test('says once that a new name matches another, to those who clear and those assigned', async () => {
    const added = await openCase(app, lead.token, {
      caseName: 'Oakes v. Roe',
      assignedUsers: [lead.id],
      clientInfo: partyOf('Prudence Oakes', 'prudence@oakes.example', '+1 518 555 0160'),
      opposingCounselInfo: {
        ...partyOf('Bob Fernandez', 'bob@other.example', '+1 518 555 0161'),
        organization: 'Fernandez Law',
      },
    });
    await app.raiseAlerts();
    await app.raiseAlerts();
    const about = async (person: SignedInPerson, decided?: string) =>
      (await list(person, decided)).filter(({ subject }) => subject?.id === added.id);
    const [alert, ...others] = await about(clerk);
    expect(others).toEqual([]);
    expect(alert).toMatchObject({
      asked: { name: 'Bob Fernandez', role: 'opposingCounsel' },
      hit: { severity: 'direct', found: { name: 'Robert Fernández', case: { id: matter.id } } },
    });
    expect(await about(lead)).toHaveLength(1);
    expect(await about(stranger)).toEqual([]);
    const { body } = await app.call(routes.listChecks, {
      token: lead.token,
      query: { caseId: added.id },
    });
    expect(body.checks).toMatchObject([{ by: { id: lead.id }, rerunOf: null }]);
    const decide = () =>
      app.call(alertRoutes.decideAlert, {
        token: clerk.token,
        params: { id: alert?.id ?? '' },
        body: { decision: 'noConflict', reason: 'A namesake' },
      });
    expect((await decide()).body.alert.decision).toMatchObject({ reason: 'A namesake' });
    expect((await decide()).status).toBe(409);
    expect([await about(clerk), await about(clerk, '1')]).toMatchObject([[], [{ id: alert?.id }]]);
  });

  test('is not raised by a new colleague, also with the number of the office', async () => {
    const office = '+1 518 555 0180';
    await register(app, { firstName: 'Quillon', lastName: 'Averbach', phoneNumber: office });
    await register(app, { firstName: 'Ondine', lastName: 'Averbach', phoneNumber: office });
    await app.raiseAlerts();
    const alerts = (await list(clerk)).map(({ asked, hit }) => `${asked.name} ${brief(hit)}`);
    expect(alerts.filter((one) => one.includes('Averbach'))).toEqual([]);
  });

  test('of a walled matter names no one to those outside', async () => {
    const added = await openCase(app, lead.token, {
      clientInfo: partyOf('Someone Else', 'else@other.example', '+1 518 555 0170'),
      opposingCounselInfo: {
        ...partyOf('Meyer Haulage', 'mail@haulage.example', '+1 518 555 0171'),
        organization: 'Meyer Haulage',
      },
    });
    await app.raiseAlerts();
    const found = (await list(clerk)).filter(({ subject }) => subject?.id === added.id);
    expect(found.map(({ hit }) => brief(hit))).toEqual([`hidden, ask ${lead.id}`]);
    expect(JSON.stringify(found)).not.toContain(walled.id);
  });
});

test('a check is printed as its reader sees it', async () => {
  const { token } = clerk;
  const names = [named('Robert Fernandez', { role: 'opposingParty' }), named('Meyer Haulage')];
  const { body } = await app.call(routes.runCheck, { token, body: { names, texts: false } });
  const headers = { cookie: `${SESSION_COOKIE}=${token}` };
  const printed = await fetch(`${app.url}/api/v1/conflicts/${body.check.id}/pdf`, { headers });
  expect([printed.status, printed.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  const text = await textOf(printed);
  expect(text).toContain('Robert Fernández');
  expect(text).toContain(body.check.sha256.slice(0, 16));
  expect(text).not.toContain('Harbor Transit');
  // In words, where the wire has names such as 'opposingParty'.
  expect(text).toContain('Opposing party');
  expect(text).toContain('Case names');
  expect(text).not.toMatch(/\b[a-z]+[A-Z][a-z]+\b/);
});
