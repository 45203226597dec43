import type { BareDatabase } from './bare-database.ts';
import { type Firm, signInAdmins, signInAdmin } from './firm.ts';
import { HttpClient } from './http-client.ts';
import { measure, type Load, summarize, type Samples } from './load.ts';
import { readingScenarios, type Scenario } from './scenarios.ts';

/** Cost of restricted matters for an admin who does not see them. */
export type Walls = {
  /** With two matters in a hundred restricted, in turns with none, and with the bare statements. */
  some: { name: string; open: Samples; walled: Samples; bare: Samples }[];
  /** With all restricted, of a user who sees one in a hundred; one client. */
  all: { name: string; samples: Samples }[];
};

const ROUNDS = 3;
/** Every fiftieth matter is restricted; of all, every hundredth is seen. */
const WALLED = 50;
const SEEN = 100;

/** Leaves every matter restricted. */
export async function measureWalls(firm: Firm, load: Load): Promise<Walls> {
  const { port } = firm.product;
  const client = new HttpClient(port, load.clients, await signInAdmins(port, load.clients));
  try {
    const { id } = await signInAdmin(port);
    const ask = ({ request }: Scenario) => {
      let n = 0;
      return () => client.ask(request((n += 1)));
    };
    const some = await withSomeWalled(firm.database, ask, load);
    await restrict(firm.database, 'true');
    await letIn(firm.database, id);
    const all = [];
    for (const scenario of await readingScenarios(firm.database, id)) {
      const alone = { clients: 1, seconds: load.seconds / 2 };
      const samples = summarize(await measure(alone, ask(scenario)), alone.seconds);
      all.push({ name: scenario.name, samples });
    }
    return { some, all };
  } finally {
    client.close();
  }
}

type ScenarioCall = (scenario: Scenario) => () => Promise<unknown>;

async function withSomeWalled(
  database: BareDatabase,
  ask: ScenarioCall,
  { clients, seconds }: Load,
): Promise<Walls['some']> {
  await restrict(database, `serial % ${WALLED} = 0`);
  // Found while some are restricted, so that every board can be read.
  const scenarios = await readingScenarios(database);
  const each = { clients, seconds: seconds / ROUNDS / 2 };
  const found = scenarios.map((scenario) => {
    let n = 0;
    const send = () => database.send(scenario.bare((n += 1)));
    const took: WallTimes = { open: [], walled: [], bare: [] };
    const calls = { open: ask(scenario), walled: ask(scenario), bare: send };
    return { name: scenario.name, calls, took };
  });
  for (let round = 0; round < ROUNDS; round += 1) {
    await restrict(database, 'false');
    for (const { calls, took } of found) {
      took.open.push(...(await measure(each, calls.open)));
      took.bare.push(...(await measure(each, calls.bare)));
    }
    await restrict(database, `serial % ${WALLED} = 0`);
    for (const { calls, took } of found) took.walled.push(...(await measure(each, calls.walled)));
  }
  const summed = (milliseconds: number[]) => summarize(milliseconds, each.seconds * ROUNDS);
  return found.map(({ name, took }) => ({
    name,
    open: summed(took.open),
    walled: summed(took.walled),
    bare: summed(took.bare),
  }));
}

type WallTimes = Record<'open' | 'walled' | 'bare', number[]>;

/** Triggers that follow a case row by row, which would take minutes for a hundred thousand. */
const FOLLOWING = ['cases_ahead_changed', 'cases_wall_contacts', 'cases_access_copied'];
const COPYING = ['tasks', 'deadlines', 'events', 'case_ahead'];

/** Restricts those matters and opens the others. */
async function restrict(database: BareDatabase, which: string): Promise<void> {
  const set = async (what: 'disable' | 'enable') => {
    for (const trigger of FOLLOWING)
      await database.read(`alter table base.cases ${what} trigger ${trigger}`);
  };
  await set('disable');
  await database.read(`
    with changed as (
      update base.cases set is_walled = not is_walled,
        access = case when is_walled then 'open' else 'restricted' end
      where is_walled <> (${which}) returning id)
    select count(*) from changed`);
  await set('enable');
  await followAll(database);
  await workOutSight(database);
  await database.read('vacuum (analyze) base.cases, base.case_sight, case_counts');
}

/** The same as the triggers do, of all rows at once. */
async function followAll(database: BareDatabase): Promise<void> {
  for (const table of COPYING)
    await database.read(`
      update base.${table} t set is_walled = c.is_walled, access = c.access from base.cases c
      where c.id = t.case_id and (t.is_walled, t.access) <> (c.is_walled, c.access)`);
  await database.read(`
    update base.contacts k set is_walled = w.is_walled from (
      select p.contact_id, bool_and(c.is_walled) as is_walled
      from base.parties p join base.cases c on c.id = p.case_id group by p.contact_id) w
    where w.contact_id = k.id and w.is_walled <> k.is_walled`);
}

/** Adds the user to every hundredth matter. */
async function letIn(database: BareDatabase, userId: string): Promise<void> {
  await database.read(
    `insert into base.case_access (case_id, user_id, kind)
      select id, $1, 'added' from base.cases where serial % ${SEEN} = 0`,
    [userId],
  );
  await workOutSight(database);
  await database.read('vacuum (analyze) base.case_access, base.case_sight');
}

async function workOutSight(database: BareDatabase): Promise<void> {
  await database.read(
    "select base.work_out_sight((select coalesce(array_agg(id), '{}') from base.cases))",
  );
}
