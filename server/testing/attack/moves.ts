// Imports for those who race: one that waits, one that runs, and one that is done.

import { setTimeout as delay } from 'node:timers/promises';
import { importRoutes } from '@matterdesk/contract/imports.ts';
import { unique } from '../factories.ts';
import { sendExport } from '../uploads.ts';
import type { Row } from './inputs.ts';
import type { World } from './world.ts';

type Maker = (world: World) => Promise<Row>;

async function addImport({ server, pair: [{ token }] }: World, count: number): Promise<string> {
  const rows = Array.from({ length: count }, () => `${unique()},Given,Family ${unique()}`);
  const files = { 'contacts.csv': ['Id,first_name,last_name', ...rows].join('\r\n') };
  const reply = await sendExport(server, { token, profile: 'clio' }, files);
  return reply.body.import.id;
}

/** Others may be running, of which there is one at a time. */
async function runImport(
  { server, pair: [{ token }] }: World,
  { id, dryRun }: { id: string; dryRun: boolean },
): Promise<void> {
  await server.call(importRoutes.runImport, { token, params: { id }, body: { dryRun } });
}

async function untilImported(world: World, id: string): Promise<void> {
  const [{ token }] = world.pair;
  const { body } = await world.server.call(importRoutes.readImport, { token, params: { id } });
  if (body.import.state !== 'running' || world.ending.aborted) return;
  await delay(100);
  await untilImported(world, id);
}

/** Makers of rows, for the addresses that begin so. */
export const importMakers: [path: string, make: Maker][] = [
  ['/api/v1/imports/', async (world) => ({ id: await addImport(world, 2) })],
  [
    '/api/v1/imports/{id}/stop',
    async (world) => {
      // Long enough to be still under way.
      const id = await addImport(world, 3000);
      await runImport(world, { id, dryRun: true });
      return { id };
    },
  ],
  [
    '/api/v1/imports/{id}/undo',
    async (world) => {
      const id = await addImport(world, 2);
      await runImport(world, { id, dryRun: false });
      await untilImported(world, id);
      return { id };
    },
  ],
];
