import { sql } from 'kysely';
import { transact } from '@matterdesk/server/db/connect.ts';
import type { Scoped, Transaction } from '@matterdesk/server/db/schema.ts';
import { hashPassword } from '@matterdesk/server/features/accounts/service.passwords.ts';
import * as accounts from '@matterdesk/server/features/accounts/store.ts';
import { CommandError, count, type Say } from '@matterdesk/server/operations/command.ts';
import { Random } from '@matterdesk/server/testing/random.ts';
import { inventTask, inventMatter, type Colleague, layOut } from './matters.ts';
import type { SeedOptions } from './options.ts';
import { DOMAIN } from './people.ts';
import { withoutIndexes, Dockets, plantMatters, plantPerson } from './planting.ts';

/** Its cases are of New York. */
const TIME_ZONE = 'America/New_York';
const BATCH = 1000;
/** From this many cases on, indexes are rebuilt. */
const MANY = 5000;

type SeedRun = { options: SeedOptions & { password: string }; now: Date; say: Say };

/**
 * Adds a sample firm to the data, all or nothing.
 * @returns the people that it made
 * @throws CommandError in an installation that has other accounts
 */
export async function seedFirm(db: Scoped, seeding: SeedRun): Promise<accounts.UserRow[]> {
  const { options, say } = seeding;
  return transact(db, async (trx) => {
    await accounts.lockAdmins(trx);
    await requireSampleFirm(trx);
    const existing = await countCases(trx);
    // A repeated seed would duplicate every person.
    const random = new Random(options.seed + existing);
    await setUpFirm(trx);
    const { made, colleagues } = await seedPeople(trx, random, seeding);
    if (colleagues.length === 0 && options.cases > 0)
      throw new CommandError('Cases need people who work on them: --users takes at least 1 here');
    const load = () => seedCases(trx, random, { ...seeding, existing, colleagues });
    if (options.cases < MANY) await load();
    else await withoutIndexes(trx, load, (name) => say(`Building the index ${name}`));
    await hastenRounds(trx);
    return made;
  });
}

/** Makes the waiting rounds due, since they complete what is seeded. */
async function hastenRounds(trx: Transaction): Promise<void> {
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass('jobs.job') is not null as exists`.execute(trx);
  if (rows[0]?.exists)
    await sql`
      update jobs.job set start_after = now() where state < 'active' and data ? 'schema'`.execute(
      trx,
    );
}

/** The people of a firm must not find colleagues whom they never hired, among them admins. */
async function requireSampleFirm(trx: Transaction): Promise<void> {
  const other = await trx
    .selectFrom('users')
    .select('id')
    .where('email_key', 'not like', `%@${DOMAIN}`)
    .limit(1)
    .executeTakeFirst();
  if (other)
    throw new CommandError(
      'This installation has accounts that npm run seed did not make: seed an empty DATA_DIR instead',
    );
}

/** An admin of a sample firm is not asked for its settings. */
async function setUpFirm(trx: Transaction): Promise<void> {
  await sql`
    update firm set set_up = true, time_zone = coalesce(time_zone, ${TIME_ZONE})`.execute(trx);
}

async function countCases(trx: Transaction): Promise<number> {
  const found = await sql<{ n: number }>`select count(*)::int as n from cases`.execute(trx);
  return found.rows[0]?.n ?? 0;
}

async function seedPeople(
  trx: Transaction,
  random: Random,
  { options: { users, password }, say }: SeedRun,
): Promise<{ made: accounts.UserRow[]; colleagues: Colleague[] }> {
  const passwordHash = await hashPassword(password);
  const made = [];
  for (let index = 0; index < users; index += 1)
    made.push(await plantPerson(trx, random, { index, passwordHash }));
  if (users > 0) say(`People ${count(users)} of ${count(users)}`);
  const everybody = await accounts.listUsers(trx, { withWaiting: false }, { limit: 100_000 });
  const active = everybody.filter((row) => row.active).map(accounts.toUser);
  // The first people get the most work, so they must not be alphabetical.
  return { made, colleagues: random.shuffled(active) };
}

type CasesToSeed = SeedRun & { existing: number; colleagues: Colleague[] };

async function seedCases(
  trx: Transaction,
  random: Random,
  { options, now, say, existing, colleagues }: CasesToSeed,
): Promise<void> {
  const dockets = new Dockets(existing);
  const progress = new Progress(options.cases, say);
  let planting = Promise.resolve();
  let done = 0;
  for (const batch of inBatches(layOut(random, { ...options, now }))) {
    // While the database plants the batch before.
    const invented = batch.map((slot) => {
      const matter = inventMatter(random, { ...slot, now, colleagues });
      const tasks = Array.from({ length: slot.tasks }, () => inventTask(random, matter, now));
      return { matter, tasks };
    });
    await planting;
    progress.report(done);
    done += batch.length;
    const matters = invented.map(({ matter }) => matter);
    planting = dockets.number(trx, matters).then(() => plantMatters(trx, invented));
  }
  await planting;
  progress.report(done);
}

function* inBatches<T>(items: Iterable<T>): Generator<T[]> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

const INTERVAL_MS = 10_000;

/** Says how many cases are planted, at the end and every ten seconds, with the time left. */
class Progress {
  readonly #all: number;
  readonly #say: Say;
  readonly #begun = performance.now();
  #said = this.#begun;

  constructor(all: number, say: Say) {
    this.#all = all;
    this.#say = say;
  }

  report(done: number): void {
    const now = performance.now();
    const isLast = done === this.#all;
    if (!isLast && now < this.#said + INTERVAL_MS) return;
    this.#said = now;
    const left = ((now - this.#begun) / Math.max(1, done)) * (this.#all - done);
    const rest = isLast ? '' : `, about ${describe(left)} left`;
    this.#say(`Cases ${count(done)} of ${count(this.#all)}, with their tasks${rest}`);
  }
}

function describe(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  return seconds < 100 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
