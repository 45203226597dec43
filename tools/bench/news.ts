import { io } from 'socket.io-client';
import type { EventPayload } from '@matterdesk/contract/events.ts';
import { socketOptions } from '@matterdesk/contract/socket.ts';
import { columnIds } from '@matterdesk/contract/columns.ts';
import type { BareDatabase } from './bare-database.ts';
import { HttpClient } from './http-client.ts';
import { summarize, type Samples } from './samples.ts';
import { signInAdmin } from './sign-in.ts';

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
