import type pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { registerAdmin } from '../../testing/factories.ts';
import { connectTo, newPlace, startProcess, type ServerProcess } from '../../testing/process.ts';

const REMINDERS = 1000;

/** Milliseconds. */
const WAIT_TIMEOUT_MS = 240_000;

let place: Awaited<ReturnType<typeof newPlace>>;
let server: ServerProcess;
let database: pg.Client;

beforeAll(async () => {
  place = await newPlace();
  server = startProcess({ env: { ...place.env, PROCESSES: '2' } });
  await server.ready;
  database = await connectTo(place);
});
afterAll(async () => {
  await database.end();
  await server.kill();
  place.remove();
});

function eventually(ask: () => Promise<void> | void): Promise<void> {
  return vi.waitFor(ask, { timeout: WAIT_TIMEOUT_MS, interval: 50 });
}

async function count(statement: string): Promise<number> {
  const { rows } = await database.query<{ n: number }>(
    `select count(*)::int as n from ${statement}`,
  );
  return rows[0]?.n ?? 0;
}

test(
  'a thousand reminders are each raised once, whichever process is killed meanwhile',
  { timeout: 3 * WAIT_TIMEOUT_MS },
  async () => {
    const { id } = await registerAdmin(server);
    // A transaction that takes seconds is certain to be cut off by the kill of its process.
    await database.query(`
      create function base.linger() returns trigger language plpgsql as
        $$ begin perform pg_sleep(0.005); return null; end $$;
      create trigger notices_linger after insert on base.notices
        for each row execute function base.linger()`);
    await database.query(
      `insert into base.events (title, kind, all_day, wall_start, wall_end, time_zone, starts_at, ends_at,
          location, link, notes, people, guests, reminders, is_private, organizer_id, search_text)
        select 'Call ' || n, 'meeting', false, '', '', 'UTC', now() + interval '2 hours',
          now() + interval '3 hours', '', '', '', array[$1::uuid], '[]', '{60}', false, $1, ''
        from generate_series(1, ${REMINDERS}) n`,
      [id],
    );
    await database.query('update base.reminders set fire_at = clock_timestamp()');
    const isRaising = () =>
      count(`pg_stat_activity where state = 'active' and query ilike '%insert into notices%'
        and pid <> pg_backend_pid()`);
    for (const victim of server.workers()) {
      await eventually(async () => {
        const left = await count('base.reminders');
        expect(left === 0 || (await isRaising()) > 0).toBe(true);
      });
      process.kill(victim, 'SIGKILL');
      // As if the half minute had passed in which a job may be silent; one that is alive beats again.
      await database.query(`update jobs.job set heartbeat_on = heartbeat_on - interval '1 minute'
        where state = 'active'`);
      await eventually(() => expect(server.workers()).toHaveLength(2));
    }
    await eventually(async () => expect(await count('base.reminders')).toBe(0));
    expect(await count('base.notices')).toBe(REMINDERS);
    expect(await count('(select distinct event_id from base.notices) raised')).toBe(REMINDERS);
  },
);
