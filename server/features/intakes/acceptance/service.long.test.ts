import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { conflictRoutes } from '@matterdesk/contract/conflicts.ts';
import { acceptingRoutes } from '@matterdesk/contract/intake-acceptance.ts';
import { intakeRoutes } from '@matterdesk/contract/intake-routes.ts';
import { addIntake, newCase, registerAdmin } from '../../../testing/factories.ts';
import { connectTo, newPlace, startProcess, type ServerProcess } from '../../../testing/process.ts';

/** Milliseconds. */
const WAIT_TIMEOUT_MS = 120_000;

let place: Awaited<ReturnType<typeof newPlace>>;
let server: ServerProcess;

beforeAll(async () => {
  place = await newPlace();
  server = startProcess({ env: place.env });
  await server.ready;
});
afterAll(async () => {
  await server.kill();
  place.remove();
});

async function count(statement: string): Promise<number> {
  const database = await connectTo(place);
  const { rows } = await database.query<{ n: number }>(
    `select count(*)::int as n from ${statement}`,
  );
  await database.end();
  return rows[0]?.n ?? 0;
}

test(
  'an intake that is being accepted becomes one matter, though the server is killed in between',
  { timeout: 2 * WAIT_TIMEOUT_MS },
  async () => {
    const { token } = await registerAdmin(server);
    const { id } = await addIntake(server, token, { name: 'Ann Smith' });
    const names = [{ name: 'Ann Smith', role: null, emails: [], phoneNumbers: [], otherNames: [] }];
    const run = await server.call(conflictRoutes.runCheck, {
      token,
      body: { names, intakeId: id, texts: false },
    });
    await server.call(conflictRoutes.concludeCheck, {
      token,
      params: { id: run.body.check.id },
      body: { outcome: 'cleared', reason: 'No one else' },
    });
    // The transaction that has opened the case lingers before it closes the intake.
    const before = await connectTo(place);
    await before.query(`
      create function base.linger() returns trigger language plpgsql as
        $$ begin perform pg_sleep(600); return new; end $$;
      create trigger intakes_linger before update of case_id on base.intakes
        for each row when (new.case_id is not null) execute function base.linger()`);
    const body = { ...newCase({ caseNo: 'KILLED-1' }), opposingCounselInfo: null };
    const accept = () =>
      server.call(acceptingRoutes.acceptIntake, {
        token,
        params: { id },
        headers: { 'idempotency-key': 'accepted' },
        body,
      });
    const cutOff = accept().catch(() => 'cut off');
    await vi.waitFor(
      async () => {
        const lingering = `pg_stat_activity where wait_event = 'PgSleep'`;
        expect(await count(lingering)).toBe(1);
      },
      { timeout: WAIT_TIMEOUT_MS, interval: 50 },
    );
    await before.end();
    await server.kill();
    expect(await cutOff).toBe('cut off');
    server = startProcess({ env: place.env });
    await server.ready;
    expect(await count(`base.cases where case_no = 'KILLED-1'`)).toBe(0);
    const left = await server.call(intakeRoutes.readIntake, { token, params: { id } });
    expect(left.body.intake).toMatchObject({ stage: 'new', caseId: null });
    const after = await connectTo(place);
    await after.query('drop trigger intakes_linger on base.intakes');
    await after.end();
    const [first, again] = [await accept(), await accept()];
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body.case.id).toBe(first.body.case.id);
    expect(await count(`base.cases where case_no = 'KILLED-1'`)).toBe(1);
    expect(await count(`base.files where case_id = '${first.body.case.id}'`)).toBe(2);
  },
);
