import { sql } from 'kysely';
import { readConfig } from '../config.ts';
import type { Database, Transaction } from '../db/schema.ts';
import { hashPassword } from '../features/accounts/rules.ts';
import * as accounts from '../features/accounts/store.ts';
import { CommandError, count, runCommand, say } from './command.ts';
import { inventErrand } from './errands.ts';
import { inventMatter, type Colleague } from './matters.ts';
import { openFirm } from './open-firm.ts';
import { PASSWORD } from './people.ts';
import { Dockets, plantMatters, plantPerson } from './planting.ts';
import { Random } from './random.ts';
import { withoutSearchIndexes } from './search-index.ts';
import { readSeedOptions, type SeedOptions } from './seed-options.ts';
import { layOut } from './timeline.ts';

const BATCH = 500;
/** From so many cases on the search indexes are built anew. */
const MANY = 5000;

await runCommand(async (args) => {
  const options = readSeedOptions(args);
  const firm = await openFirm(readConfig(process.env));
  try {
    const begun = performance.now();
    await seed(firm.db, options);
    await sql`vacuum (analyze)`.execute(firm.db);
    const { cases, users, tasks } = options;
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    const made = `${count(users)} people, ${count(cases)} cases and ${count(tasks)} tasks`;
    say(`Made ${made} in ${seconds} s`);
    say(await howToSignIn(firm.db));
  } finally {
    await firm.close();
  }
});

/** Adds to what is there, all or nothing. */
async function seed(db: Database, options: SeedOptions): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const existing = await countCases(trx);
    // The same firm twice would be a firm of twins.
    const random = new Random(options.seed + existing);
    const colleagues = await seedPeople(trx, random, options.users);
    if (colleagues.length === 0 && options.cases > 0)
      throw new CommandError('Cases need people who work on them: --users takes at least 1 here');
    const load = () => seedCases(trx, random, { options, existing, colleagues });
    if (options.cases < MANY) await load();
    else await withoutSearchIndexes(trx, load, () => say('Building the search indexes'));
  });
}

async function countCases(trx: Transaction): Promise<number> {
  const found = await sql<{ n: number }>`select count(*)::int as n from cases`.execute(trx);
  return found.rows[0]?.n ?? 0;
}

async function seedPeople(trx: Transaction, random: Random, users: number): Promise<Colleague[]> {
  await accounts.lockAdmins(trx);
  const passwordHash = await hashPassword(PASSWORD);
  for (let index = 0; index < users; index += 1)
    await plantPerson(trx, random, { index, passwordHash });
  if (users > 0) say(`People ${count(users)} of ${count(users)}`);
  const everybody = await accounts.listUsers(trx, { withWaiting: false }, { limit: 100_000 });
  const active = everybody.filter((row) => row.active).map(accounts.toUser);
  // The first ones get the most work; it should not be those at the top of the alphabet.
  return random.shuffled(active);
}

type CasesToSeed = { options: SeedOptions; existing: number; colleagues: Colleague[] };

async function seedCases(
  trx: Transaction,
  random: Random,
  { options, existing, colleagues }: CasesToSeed,
): Promise<void> {
  const now = new Date();
  const slots = layOut(random, { ...options, now });
  const dockets = new Dockets(existing);
  const step = Math.max(BATCH, Math.ceil(slots.length / 10 / BATCH) * BATCH);
  for (let start = 0; start < slots.length; start += BATCH) {
    const batch = slots.slice(start, start + BATCH).map((slot) => {
      const matter = inventMatter(random, { ...slot, now, colleagues });
      const errands = Array.from({ length: slot.tasks }, () => inventErrand(random, matter, now));
      return { matter, errands };
    });
    await dockets.number(
      trx,
      batch.map(({ matter }) => matter),
    );
    await plantMatters(trx, batch);
    const done = start + batch.length;
    if (done % step === 0 || done === slots.length)
      say(`Cases ${count(done)} of ${count(slots.length)}, with their tasks`);
  }
}

async function howToSignIn(db: Database): Promise<string> {
  const first = async (role: 'admin' | 'user') =>
    db
      .selectFrom('users')
      .select('email')
      .where('role', '=', role)
      .where('email', 'like', '%@hartwell-osei.example')
      .orderBy('created_at')
      .limit(1)
      .executeTakeFirst();
  const [admin, user] = [await first('admin'), await first('user')];
  const who = [admin && `${admin.email} (admin)`, user && `${user.email} (user)`];
  return `Sign in as ${who.filter(Boolean).join(' or ')}; everybody's password is ${PASSWORD}`;
}
