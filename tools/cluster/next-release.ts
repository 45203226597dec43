import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUILD_STAMP } from '@matterdesk/server/http/build-name.ts';
import { root } from '../checks/run.ts';

const MIGRATION = `import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql\`alter table base.cases add column next_release text\`.execute(db);
}
`;

/** A copy of this checkout with another client and one more column: what an update brings. */
export function makeNextRelease(home: string): string {
  const next = join(home, 'next-release');
  mkdirSync(next);
  for (const part of ['package.json', 'server', 'contract', 'client/dist'])
    cpSync(join(root, part), join(next, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(next, 'node_modules'));
  writeFileSync(join(next, BUILD_STAMP), 'the next release');
  writeFileSync(join(next, 'server/db/migrations/9999-next-release.ts'), MIGRATION);
  const list = join(next, 'server/db/migrate.ts');
  const before = readFileSync(list, 'utf8');
  const start = 'const migrations: Record<string, Migration> = {\n';
  if (!before.includes(start)) throw new Error(`${list} has no list of migrations`);
  const entry = `  '9999-next-release': nextRelease,\n`;
  const after = before.replace(start, start + entry);
  writeFileSync(
    list,
    `import * as nextRelease from './migrations/9999-next-release.ts';\n${after}`,
  );
  return next;
}
