import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { SUPERUSER } from './cluster.ts';
import type { Connection } from './connections.ts';
import type { Identity } from './identity.ts';
import { readSecret, secretFile, syncDirectory, writePrivately } from './secrets.ts';

/**
 * Gives the superuser a password of its own, in clusters that were made when both roles shared one. May be interrupted:
 * the new password is on disk before the database has it.
 */
export async function separateSuperuser(
  directory: string,
  { host, port, password }: Connection,
  identity: Identity,
): Promise<void> {
  const file = secretFile(directory, SUPERUSER);
  if (fs.existsSync(file)) return;
  const draft = `${file}.new`;
  if (!fs.existsSync(draft)) writePrivately(draft, randomBytes(24).toString('base64url'), identity);
  const wanted = readSecret(draft);
  const place = { host, port, user: SUPERUSER, database: SUPERUSER };
  const client = await connect({ ...place, password }).catch(() =>
    connect({ ...place, password: wanted }),
  );
  try {
    await client.query(`alter role ${SUPERUSER} password ${client.escapeLiteral(wanted)}`);
  } finally {
    await client.end();
  }
  fs.renameSync(draft, file);
  syncDirectory(path.dirname(file));
}

async function connect(connection: Connection): Promise<pg.Client> {
  const client = new pg.Client(connection);
  // As in guardAudit: the database may be stopped meanwhile.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
