import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { calendarRoutes } from '@matterdesk/contract/calendar.ts';
import { courtRuleRoutes } from '@matterdesk/contract/court-rules.ts';
import { proposalRoutes as routes } from '@matterdesk/contract/proposals.ts';
import { addEvent, openCase, registerAdmin } from '../../../testing/factories.ts';
import { connectTo, newPlace, startProcess, type ServerProcess } from '../../../testing/process.ts';

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

async function ask<T>(statement: string): Promise<T | undefined> {
  const { rows } = await database.query<{ answer: T }>(`select ${statement} as answer`);
  return rows[0]?.answer;
}

const dates = () =>
  ask<string[]>(
    '(select array_agg(date::text order by title) from base.deadlines where counting is not null)',
  );
const sleepers = () =>
  ask<boolean>(`exists (select from pg_stat_activity where wait_event = 'PgSleep')`);

/** A trial with three deadlines that count from it, and the proposal that its move opened. */
async function moveTrial(token: string): Promise<{ id: string; accept: string[] }> {
  const court = { name: 'Court', timeZone: 'America/Chicago', weekend: [6, 7], holidays: [] };
  const { body: jurisdiction } = await server.call(courtRuleRoutes.addJurisdiction, {
    token,
    body: court,
  });
  const step = { kind: 'filing', hard: false, unit: 'days', direction: 'before' } as const;
  const steps = [21, 14, 7].map((count) => ({
    ...step,
    title: `${count} days before`,
    count,
    authority: '',
  }));
  const { body: rule } = await server.call(courtRuleRoutes.addRule, {
    token,
    body: { name: 'R', jurisdiction: jurisdiction.id, trigger: 'Trial', reviewed: false, steps },
  });
  const { id: matter, assignedUsers } = await openCase(server, token);
  const day = { start: '2027-09-20', end: '2027-09-20', allDay: true };
  const { id } = await addEvent(server, token, { case: matter, ...day });
  const owner = assignedUsers[0]?.id ?? (await ask<string>('(select id from users limit 1)')) ?? '';
  await server.call(routes.applyRule, {
    token,
    body: { case: matter, rule: rule.id, trigger: { event: id }, owner, second: null },
  });
  const moved = { ...day, start: '2027-10-18', end: '2027-10-18' };
  const { body } = await server.call(calendarRoutes.changeEvent, {
    token,
    params: { id },
    body: moved,
  });
  const { proposal } = body;
  if (!proposal) throw new Error('nothing was proposed');
  return { id: proposal.id, accept: proposal.items.map(({ deadline }) => deadline.id) };
}

test(
  'a proposal whose process is killed while it is accepted moves nothing, and moves all the next time',
  { timeout: 480_000 },
  async () => {
    const { token } = await registerAdmin(server);
    const { id, accept } = await moveTrial(token);
    const before = await dates();
    expect(before).toEqual(['2027-09-06', '2027-08-30', '2027-09-13']);
    const call = () =>
      server.call(routes.decideProposal, { token, params: { id }, body: { accept, reason: '' } });
    await database.query(`
      create function base.linger() returns trigger language plpgsql as
        $$ begin perform pg_sleep(60); return null; end $$;
      create constraint trigger deadlines_linger after update on base.deadlines
        for each row when (new.id = '${accept.at(-1)}') execute function base.linger()`);
    const cut = call().catch(() => undefined);
    const polling = { timeout: 120_000 };
    await expect.poll(sleepers, polling).toBe(true);
    for (const pid of server.workers()) process.kill(pid, 'SIGKILL');
    await cut;
    await database.query(`
      select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'PgSleep';
      drop trigger deadlines_linger on base.deadlines`);
    expect(await dates()).toEqual(before);
    expect(
      await ask(`(select count(*)::int from base.deadline_proposal_items where status = 'open')`),
    ).toBe(3);
    // A connection that the launcher passed to a process as that was killed is never answered.
    const once = () => Promise.race([call().catch(() => undefined), delay(20_000)]);
    await expect
      .poll(() => once().then(dates), polling)
      .toEqual(['2027-10-04', '2027-09-27', '2027-10-11']);
  },
);
