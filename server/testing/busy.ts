import { setTimeout as delay } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import { caseRoutes, type Case } from '@matterdesk/contract/cases.ts';
import { socketOptions } from '@matterdesk/contract/socket.ts';
import type { Client, Reply } from './client.ts';
import { newCase, unique } from './factories.ts';

/** A client's socket, which reconnects as the browser's does, and the names of the cases that it was notified of. */
export type Listener = { socket: Socket; received: string[] };

export function listen({ url }: Client, token: string): Listener {
  const { timeout: _, ...options } = socketOptions;
  const socket = io(url, {
    ...options,
    query: { token },
    transports: ['websocket'],
    forceNew: true,
  });
  const received: string[] = [];
  socket.on('case.created', ({ caseName }: Case) => received.push(caseName));
  // As the page does when a server stops.
  socket.on('disconnect', (reason) => {
    if (reason === 'io server disconnect') setTimeout(() => socket.connect(), 100);
  });
  return { socket, received };
}

export type Traffic = {
  /** The judge of every case that it opens. */
  marker: string;
  replies: Reply<unknown>[];
  /** Requests without a reply. */
  lost: unknown[];
  /** Numbers of the cases whose creation was acknowledged. */
  written: string[];
  finish: () => Promise<void>;
};

/** A client that reads and writes continuously, and retries failed writes, until it is stopped. */
export function startTraffic(servers: Client[], token: string): Traffic {
  const marker = `busy ${unique()}`;
  const replies: Reply<unknown>[] = [];
  const lost: unknown[] = [];
  const written: string[] = [];
  let isStopping = false;

  async function note<R extends Reply<unknown>>(reply: Promise<R>): Promise<number> {
    try {
      const settled = await reply;
      replies.push(settled);
      return settled.status;
    } catch (error) {
      lost.push(error);
      return 0;
    }
  }

  async function read(server: Client): Promise<void> {
    const query = { limit: 5 };
    if ((await note(server.call(caseRoutes.listCases, { token, query }))) !== 200) await delay(10);
    if (!isStopping) await read(server);
  }

  async function write(server: Client): Promise<void> {
    const body = newCase({ judge: marker });
    const headers = { 'idempotency-key': body.caseNo };
    while ((await note(server.call(caseRoutes.openCase, { token, body, headers }))) !== 201)
      await delay(10);
    written.push(body.caseNo);
    if (!isStopping) await write(server);
  }

  const work = servers.flatMap((server) => [
    read(server),
    read(server),
    write(server),
    write(server),
  ]);
  return {
    marker,
    replies,
    lost,
    written,
    async finish() {
      isStopping = true;
      await Promise.all(work);
    },
  };
}
