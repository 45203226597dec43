import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { caseRoutes, type FiledCase } from '@matterdesk/contract/cases.ts';
import type { Route } from '@matterdesk/contract/route.ts';
import { CommandError } from '@matterdesk/server/operations/command.ts';
import { createClient, type CallOptions } from '@matterdesk/server/testing/client.ts';
import { DOMAIN, founders, toAscii } from '../seed/people.ts';

/** Shared by everyone in a sandbox, which only this machine reaches. */
export const PASSWORD = 'matterdesk-demo';

export type Person = { email: string; name: string };

/** Users of the sample firm with a Google mailbox; the first is its admin. */
export const staff: Person[] = founders.map(([firstName, lastName]) => ({
  email: `${toAscii(`${firstName}.${lastName}`)}@${DOMAIN}`,
  name: `${firstName} ${lastName}`,
}));

/** The firm's newest active matters, as its admin sees them. */
export async function readMatters(url: string): Promise<FiledCase[]> {
  const client = createClient(url);
  const body = { email: staff[0]?.email, password: PASSWORD };
  const signedIn = await client.call(accountRoutes.login, { body });
  const { token } = signedIn.body;
  const query = { statusType: 'Active', limit: 60 };
  const { body: list } = await client.call(caseRoutes.listCases, { token, query });
  await client.call(accountRoutes.logout, { token });
  // The sample firm's cases lack nothing.
  return list.cases as FiledCase[];
}

export type Staff = Awaited<ReturnType<typeof signInStaff>>;

/** Signs in everyone with a mailbox, to call routes as any of them by their place. */
export async function signInStaff(url: string) {
  const client = createClient(url);
  const people: { id: string; email: string; token: string }[] = [];
  for (const { email } of staff) {
    const body = { email, password: PASSWORD };
    people.push((await client.call(accountRoutes.login, { body })).body);
  }
  const as =
    (person: number) =>
    async <R extends Route>(route: R, options: CallOptions<R>) => {
      const reply = await client.call(route, { ...options, token: people[person]?.token });
      if (reply.code === undefined) return reply.body;
      throw new CommandError(
        `The sample firm was not made: ${route.method} ${route.path}: ${reply.message}`,
      );
    };
  const signOut = async () => {
    for (const { token } of people) await client.call(accountRoutes.logout, { token });
  };
  return { people, as, signOut };
}

type SeedRun = { dataDir: string; env: Record<string, string>; signal: AbortSignal };

/** Seeds the sample firm before the product starts. */
export async function seedFirm({ dataDir, env, signal }: SeedRun): Promise<void> {
  const size = [
    '--cases',
    '60',
    '--users',
    '8',
    '--tasks',
    '200',
    '--archived',
    '1',
    '--password',
    PASSWORD,
  ];
  const child = spawn(process.execPath, ['tools/seed/main.ts', ...size], {
    cwd: resolve(import.meta.dirname, '../..'),
    env: { ...process.env, ...env, DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop);
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => (said += part));
  const [code] = (await once(child, 'close')) as [number | null];
  signal.removeEventListener('abort', stop);
  if (code !== 0 && !signal.aborted)
    throw new CommandError(`The sample firm was not made: ${said}`);
}
