import { expect, test, vi } from 'vitest';
import { type Case, caseRoutes } from '@matterdesk/contract/cases.ts';
import { contactRoutes as routes, contactRoutes } from '@matterdesk/contract/contacts.ts';
import { startTestApp } from '../../testing/app.ts';
import { csvOf, newRow, sendImport } from '../../testing/case-files.ts';
import { eventually } from '../../testing/eventually.ts';
import { openCase, registerAdmin, registerUser, unique } from '../../testing/factories.ts';

test('existing cases are brought over beside the running server, once, as often as it is interrupted', async () => {
  const app = await startTestApp({ jobs: false });
  const admin = await registerAdmin(app);
  await openCase(app, admin.token);
  // Cases of a time without contacts: pairs with the same client, and one with a counsel of no name.
  await app.pool.query(`
    insert into base.cases overriding system value
    select (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(), 'case_no_key', n,
      'serial', c.serial + n, 'client_name', 'Client ' || n / 2, 'client_email', n / 2 || '@client.example',
      'counsel_name', case when n = 7 then '' else c.counsel_name end))).*
    from base.cases c, generate_series(1, 1200) n`);
  const counts = async () =>
    (
      await app.pool.query<{ contacts: number; parties: number }>(
        `select (select count(*)::int from base.contacts) as contacts, (select count(*)::int from base.parties) as parties`,
      )
    ).rows[0];
  for (const isLast of [false, true]) {
    const other = await startTestApp({ database: app.database, rounds: true });
    await vi.waitFor(
      async () => expect((await counts())?.parties).toBeGreaterThan(isLast ? 2401 : 2),
      // Rounds are polled for once a minute.
      { timeout: 300_000 },
    );
    await other.close();
  }
  // Jane Doe, 601 other clients, the counsel of all, and the organization of the nameless one.
  expect(await counts()).toEqual({ contacts: 604, parties: 2402 });
  const { body } = await app.call(routes.listContacts, {
    token: admin.token,
    query: { search: '"Roe & Partners"', kind: 'organisation' },
  });
  expect(body.contacts.map(({ name }) => name)).toEqual(['Roe & Partners']);
  await app.close();
}, 900_000);

test('an import of hundreds of rows makes one contact of the counsel whom they share, and broadcasts each case as it is read', async () => {
  const app = await startTestApp();
  const admin = await registerAdmin(app);
  const user = await registerUser(app);
  const counsel = { name: `Ana Ruiz ${unique()}`, email: 'ana@ruiz.example' };
  await openCase(app, admin.token, {
    opposingCounselInfo: {
      ...counsel,
      organization: 'Ruiz LLP',
      phoneNumber: '+1 555 010 0001',
      address: '1 Elm Street',
    },
  });
  const socket = await app.socket(user.token);
  const created: Case[] = [];
  const changed: string[] = [];
  socket.on('case.created', (matter) => created.push(matter));
  socket.on('contact.updated', ({ id }) => changed.push(id));
  const rows = Array.from({ length: 600 }, (_, row) =>
    newRow({
      'clientInfo.name': `Client ${row % 599}`,
      'clientInfo.email': `client-${row % 599}@clients.example`,
      'opposingCounselInfo.name': counsel.name,
      // The last rows know a number alone, which others give beside the address.
      'opposingCounselInfo.email': row < 500 ? counsel.email : 'none@ruiz.example',
      'opposingCounselInfo.phoneNumber': row < 100 ? '+1 555 010 0001' : '+1 555 010 0002',
      assignedUsers: user.email,
    }),
  );
  const form = new FormData();
  form.append('file', new Blob([csvOf(rows)], { type: 'text/csv' }), 'cases.csv');
  // A database that does not respond in time saved nothing, and its 503 says to try again.
  const reply = await eventually(async () => {
    const { status, body } = await sendImport(app, admin.token, { form });
    const reasons = app.logLines().flatMap(({ reason }) => reason ?? []);
    if (status === 503) throw new Error(`Unavailable: ${JSON.stringify(reasons)}`);
    return { status, body };
  });
  expect(reply).toMatchObject({ status: 200, body: { created: 600 } });
  await eventually(() => expect(created).toHaveLength(600));
  const [first] = created;
  const read = await app.call(caseRoutes.readCase, {
    token: user.token,
    params: { id: first?.id ?? '' },
  });
  expect(read.body.case).toEqual(first);
  expect(created.map((one) => one.caseNo)).toEqual(rows.map((row) => row['caseNo']));
  const { body } = await app.call(contactRoutes.listContacts, {
    token: admin.token,
    query: { search: `"${counsel.name}"` },
  });
  expect(body.contacts).toHaveLength(1);
  expect(body.contacts[0]).toMatchObject({
    emails: [counsel.email, 'none@ruiz.example'],
    phoneNumbers: ['+1 555 010 0001', '+1 555 010 0002'],
  });
  expect(new Set(changed)).toEqual(new Set([body.contacts[0]?.id]));
  const { rows: found } = await app.pool.query(
    `select (select count(*)::int from base.contacts) as contacts, (select count(*)::int from base.parties) as parties,
      (select count(*)::int from base.contact_sources where case_id is not null) as sources`,
  );
  // The client of the first case, 599 others, and the counsel.
  expect(found).toEqual([{ contacts: 601, parties: 1202, sources: 1202 }]);
  await app.close();
}, 120_000);
