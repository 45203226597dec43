import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { io } from 'socket.io-client';
import { columnIds } from '@matterdesk/contract/columns.ts';
import type { EventPayload } from '@matterdesk/contract/events.ts';
import { socketOptions } from '@matterdesk/contract/socket.ts';
import { openSession } from '@matterdesk/server/db/sessions.ts';
import type { BareDatabase } from './bare-database.ts';
import { type Firm, signInAdmin } from './firm.ts';
import { processMemory } from './footprint.ts';
import { HttpClient } from './http-client.ts';
import { summarize, type Samples } from './load.ts';
import type { Notified, SocketClients } from './sockets-clients.ts';

/** MB of the server process holding them, and milliseconds until each was notified of a move. */
export type Sockets = { count: number; memory: number; delays: Samples };

const PER_SESSION = 20;
const MOVES = 20;
const PAUSE_MS = 500;

/** Opens that many sockets from another process and moves cards. */
export async function measureSockets(
  { product: { port, pid }, database }: Firm,
  count: number,
): Promise<Sockets> {
  const tokens = await openSessions(database, Math.ceil(count / PER_SESSION));
  const wanted: SocketClients = { port, tokens, perSession: PER_SESSION, count };
  const clients = path.join(import.meta.dirname, 'sockets-clients.ts');
  const child = fork(clients, [JSON.stringify(wanted)]);
  try {
    await reportOf(child);
    const took: number[] = [];
    let memory = processMemory(pid);
    for (const [n, move] of (await movesOf(port, database)).entries()) {
      await delay(PAUSE_MS);
      const report = reportOf(child);
      const sent = Number(process.hrtime.bigint()) / 1e6;
      await move();
      const notified = await report;
      // The first broadcasts run before their code is compiled.
      if (n > 1) took.push(...notified.map((at) => at - sent));
      memory = Math.max(memory, processMemory(pid));
    }
    return { count, memory, delays: summarize(took, (MOVES * PAUSE_MS) / 1000) };
  } finally {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
}

async function openSessions(database: BareDatabase, wanted: number): Promise<string[]> {
  const users = await database.read<{ id: string }>('select id from users where active');
  const tokens: string[] = [];
  for (let n = 0; n < wanted; n += 1) {
    const { id } = users[n % users.length] ?? { id: '' };
    tokens.push((await database.work((db) => openSession(db, id))).token);
  }
  return tokens;
}

async function movesOf(port: number, database: BareDatabase) {
  const { token } = await signInAdmin(port);
  const client = new HttpClient(port, 1);
  const rows = await database.read<{ id: string; type: (typeof columnIds)[number] }>(
    'select id, type from tasks where deleted_at is null order by created_at desc limit $1',
    [MOVES],
  );
  return rows.map(({ id, type }) => {
    const json = { type: columnIds[(columnIds.indexOf(type) + 1) % columnIds.length] };
    return () => client.ask({ method: 'PATCH', path: `/api/v1/tasks/${id}`, token, json });
  });
}

async function reportOf(child: ChildProcess): Promise<number[]> {
  const ended = new AbortController();
  const { signal } = ended;
  const exit = once(child, 'exit', { signal });
  try {
    const [report] = (await Promise.race([once(child, 'message', { signal }), exit])) as [unknown];
    if (!Array.isArray(report)) throw new Error('The process that holds the sockets ended');
    return report as Notified;
  } finally {
    exit.catch(() => undefined);
    ended.abort();
  }
}

const WAIT_MS = 5000;

/** Milliseconds from the request that moves a card until another browser is notified. */
export async function measureNews(
  port: number,
  database: BareDatabase,
  moves: number,
): Promise<Samples> {
  const [mover, watcher] = [await signInAdmin(port), await signInAdmin(port)];
  const rows = await database.read<{ id: string }>(
    'select id from tasks where deleted_at is null order by created_at desc limit 50',
  );
  const client = new HttpClient(port, 1);
  const socket = io(`http://127.0.0.1:${port}`, {
    path: socketOptions.path,
    query: { token: watcher.token },
    transports: ['websocket'],
  });
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve).once('connect_error', reject);
    });
    const took: number[] = [];
    for (let n = 0; n < moves; n += 1) {
      const id = rows[n % rows.length]?.id ?? '';
      const type = columnIds[(n + Math.floor(n / rows.length)) % columnIds.length];
      const sent = performance.now();
      const notified = notifiedOf(id);
      await client.ask({
        method: 'PATCH',
        path: `/api/v1/tasks/${id}`,
        token: mover.token,
        json: { type },
      });
      took.push((await notified) - sent);
    }
    return summarize(took, took.reduce((sum, one) => sum + one, 0) / 1000);
  } finally {
    socket.disconnect();
    client.close();
  }

  function notifiedOf(id: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const timeout = setTimeout(() => reject(new Error('a move was not heard of')), WAIT_MS);
      const listen = (task: EventPayload<'task.updated'>) => {
        if (task.id !== id) return;
        clearTimeout(timeout);
        socket.off('task.updated', listen);
        resolve(performance.now());
      };
      socket.on('task.updated', listen);
    });
  }
}
