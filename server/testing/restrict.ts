import { accessRoutes } from '@matterdesk/contract/access.ts';
import type { Client } from './client.ts';

type Wall = { token: string; kind?: string; id: string; people?: string[] };

/** Restricts a matter, or something else with a wall, to some people. @throws Error when it is refused */
export async function restrict(
  app: Client,
  { token, kind = 'cases', id, people = [] }: Wall,
): Promise<void> {
  const params = { kind, id };
  const { updatedAt } = (await app.call(accessRoutes.readAccess, { token, params })).body.access;
  const body = { mode: 'restricted', people, screened: [], reason: 'A wall', updatedAt };
  const walled = await app.call(accessRoutes.changeAccess, { token, params, body });
  if (walled.status !== 200) throw new Error(walled.text);
}
