import { expect, test, vi } from 'vitest';
import { contactRoutes as routes } from '@matterdesk/contract/contacts.ts';
import { startTestApp } from '../../testing/app.ts';
import { openCase, registerAdmin } from '../../testing/factories.ts';

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
    const other = await startTestApp({ database: app.database });
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
