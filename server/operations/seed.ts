import { sql } from 'kysely';
import { readConfig } from '../config.ts';
import type { Database } from '../db/schema.ts';
import { count, runCommand, say } from './command.ts';
import { openFirm } from './open-firm.ts';
import { DOMAIN, PASSWORD } from './people.ts';
import { readSeedOptions } from './seed-options.ts';
import { seedFirm } from './seeding.ts';

await runCommand(async (args) => {
  const options = readSeedOptions(args);
  const firm = await openFirm(readConfig(process.env));
  try {
    const begun = performance.now();
    await seedFirm(firm.db.asSystem('the sample firm is planted as a whole'), {
      options,
      now: new Date(),
      say,
    });
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

async function howToSignIn(db: Database): Promise<string> {
  const first = async (role: 'admin' | 'user') =>
    db
      .selectFrom('users')
      .select('email')
      .where('role', '=', role)
      .where('email', 'like', `%@${DOMAIN}`)
      .orderBy('created_at')
      .limit(1)
      .executeTakeFirst();
  const [admin, user] = [await first('admin'), await first('user')];
  const who = [admin && `${admin.email} (admin)`, user && `${user.email} (user)`];
  return `Sign in as ${who.filter(Boolean).join(' or ')}; everybody's password is ${PASSWORD}`;
}
