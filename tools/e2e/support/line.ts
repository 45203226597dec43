import type { Page, WebSocketRoute } from '@playwright/test';
import type { CDPSession } from 'playwright-core';
import { errorCodes, type ErrorCode, type FieldError } from '@matterdesk/contract/errors.ts';

const SOCKET_ADDRESS = /socket\.io/;

/**
 * Opens a page and waits for its connection: from then on the page receives events, which
 * it missed before.
 */
export async function openConnected(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: 'commit' });
  await untilConnected(page);
}

/** Waits for the page's next connection. */
async function untilConnected(page: Page): Promise<void> {
  const line = await page.waitForEvent('websocket', (socket) => SOCKET_ADDRESS.test(socket.url()));
  // Socket.IO's packet for a connection.
  await line.waitForEvent('framereceived', ({ payload }) => String(payload).startsWith('40'));
}

/**
 * Keeps pages opened from now on without a connection. They receive no events and do not refetch,
 * which tests of lasting failures require.
 */
export async function keepOffline(page: Page): Promise<void> {
  await page.routeWebSocket(SOCKET_ADDRESS, () => undefined);
}

/** A connection that the test cuts and restores. */
type HeldConnection = {
  /** Closes the connection and blocks new ones until it is restored. */
  cut: () => Promise<void>;
  /** Waits until the page is connected again. */
  restore: () => Promise<void>;
};

/** Controls the connections of pages opened from now on. */
export async function holdConnection(page: Page): Promise<HeldConnection> {
  const open = new Set<WebSocketRoute>();
  let isCut = false;
  await page.routeWebSocket(SOCKET_ADDRESS, (socket) => {
    if (isCut) return void socket.close();
    open.add(socket);
    socket.connectToServer();
  });
  return {
    async cut() {
      isCut = true;
      for (const socket of open) await socket.close();
      open.clear();
    },
    async restore() {
      isCut = false;
      await untilConnected(page);
    },
  };
}

/** Adds up what the page loads from now on: bytes on the wire, headers included, by kind of resource. */
export function sentBytes(line: CDPSession): Record<string, number> {
  const kinds = new Map<string, string>();
  const sent: Record<string, number> = {};
  line.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type));
  line.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId) ?? 'Other';
    sent[kind] = (sent[kind] ?? 0) + encodedDataLength;
  });
  return sent;
}

/** A server refusal for `route.fulfill`. */
export function refusal(code: ErrorCode, message: string, errors: FieldError[] = []) {
  const { status } = errorCodes[code];
  return { status, json: { statusCode: status, code, message, body: null, errors } };
}
