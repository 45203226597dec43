import { afterAll, beforeAll, expect, test } from 'vitest';
import { permissionsBy } from '@matterdesk/contract/permissions.ts';
import type { ActorContext } from '../../context.ts';
import { openDatabase, openPool } from '../../db/connect.ts';
import { Writer } from '../../db/unit-of-work.ts';
import { suite } from '../../testing/app.ts';
import { newCase, registerAdmin, unique } from '../../testing/factories.ts';
import { changeCase, openCase } from './service.ts';

/** More uses than PostgreSQL plans for their values, and than come before a statement is prepared. */
const TIMES = 12;
/** A transaction's, and that of what is read beside it. */
const CONNECTIONS = 2;
const COUNSEL = { name: 'Thurgood Okafor', email: 'thurgood@counsel.example' };

const { app } = suite({});
let context: ActorContext;
let sent: string[];
/** Asks every connection. */
let ask: (statement: string) => Promise<{ statement: string }[]>;
let close: () => Promise<void>;

beforeAll(async () => {
  const { id } = await registerAdmin(app);
  const pool = openPool({ ...app.database.connection, max: CONNECTIONS }, () => undefined);
  sent = [];
  const db = openDatabase(pool, { onStatement: ({ sql }) => sent.push(sql) });
  const person = { id, email: '', firstName: '', lastName: '', role: 'admin' as const };
  const session = { permissions: permissionsBy(() => true), sessionId: '', requestId: '' };
  const writer = new Writer(db, app.context.realtime);
  context = { ...app.context, db, writer, actor: { ...person, ...session, socketId: undefined } };
  ask = async (statement) => {
    const each = Array.from({ length: CONNECTIONS }, () => pool.connect());
    const clients = await Promise.all(each);
    const asked = clients.map((client) => client.query<{ statement: string }>(statement));
    const replies = await Promise.all(asked);
    for (const client of clients) client.release();
    return replies.flatMap(({ rows }) => rows);
  };
  close = () => pool.end();
});

afterAll(() => close());

async function open() {
  const n = unique();
  const { clientInfo, opposingCounselInfo, ...matter } = newCase();
  const client = { name: `Ida Wells ${n}`, email: `ida.${n}@client.example` };
  const phoneNumber = `+1212${5_550_000 + n}`;
  return openCase(context, {
    ...matter,
    clientInfo: { ...clientInfo, ...client, phoneNumber },
    opposingCounselInfo: { ...opposingCounselInfo, ...COUNSEL },
  });
}

test('opening a case uses only prepared plans', async () => {
  // Any plan of small tables is cheap enough to be kept.
  await app.pool.query(
    `insert into base.contacts (kind, name, name_key, keys, search_text)
      select 'person', 'Known ' || n, 'known ' || n, array['known ' || n], 'known ' || n
      from generate_series(1, 20000) n`,
  );
  // All tables: what autovacuum finds amid the test, left by others, would change what plans seem to cost.
  await app.pool.query('vacuum analyze');
  for (let n = 0; n < TIMES; n += 1) await open();
  const planned = await ask('select statement from pg_prepared_statements where custom_plans > 5');
  expect(planned.map(({ statement }) => statement)).toEqual([]);
  const kept = await ask('select statement from pg_prepared_statements where generic_plans > 0');
  expect(kept.length).toBeGreaterThan(10);
});

const readsOfOthers = () => sent.filter((text) => text.includes('from "contact_sources" as "s"'));

test('opening a case reads nothing that other cases say of the same counsel', async () => {
  const first = await open();
  sent.length = 0;
  const second = await open();
  expect(readsOfOthers()).toEqual([]);
  const said = await app.db
    .selectFrom('contact_sources')
    .select(['case_id', 'contact_id'])
    .where('case_id', 'in', [first.id, second.id])
    .execute();
  expect(said).toHaveLength(4);
  expect(new Set(said.map(({ contact_id: contactId }) => contactId)).size).toBe(3);
  // Details that change may leave the contact, which takes what all others say.
  const opposingCounselInfo = { address: '7 Other Street' };
  await changeCase(context, second.id, { opposingCounselInfo });
  expect(readsOfOthers()).toHaveLength(1);
});
