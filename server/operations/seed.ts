import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { readConfig } from '../config.ts';
import type { UserRow } from '../features/accounts/store.ts';
import { count, runCommand, say } from './command.ts';
import { openFirm } from './open-firm.ts';
import { readSeedOptions } from './seed-options.ts';
import { seedFirm } from './seeding.ts';

const PASSWORD_BYTES = 12;

await runCommand(async (args) => {
  const given = readSeedOptions(args);
  const password = given.password ?? randomBytes(PASSWORD_BYTES).toString('base64url');
  const options = { ...given, password };
  const firm = await openFirm(readConfig(process.env));
  try {
    const begun = performance.now();
    const people = await seedFirm(firm.db.asSystem('the sample firm is planted as a whole'), {
      options,
      now: new Date(),
      say,
    });
    await sql`vacuum (analyze)`.execute(firm.db);
    const { cases, users, tasks } = options;
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    const made = `${count(users)} people, ${count(cases)} cases and ${count(tasks)} tasks`;
    say(`Made ${made} in ${seconds} s`);
    if (people.length > 0) say(howToSignIn(people, password));
  } finally {
    await firm.close();
  }
});

/** Of the people made now; those of before keep their password. */
function howToSignIn(made: UserRow[], password: string): string {
  const first = (role: UserRow['role']) => made.find((row) => row.role === role);
  const [admin, user] = [first('admin'), first('user')];
  const who = [admin && `${admin.email} (admin)`, user && `${user.email} (user)`];
  return `Sign in as ${who.filter(Boolean).join(' or ')}; the password of everyone made now is ${password}`;
}
