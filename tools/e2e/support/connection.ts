import type { Page, WebSocketRoute } from '@playwright/test';

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
  const socket = await page.waitForEvent('websocket', (opened) =>
    SOCKET_ADDRESS.test(opened.url()),
  );
  // Socket.IO's packet for a connection.
  await socket.waitForEvent('framereceived', ({ payload }) => String(payload).startsWith('40'));
}

/**
 * Keeps pages opened from now on without a connection. They receive no events and do not refetch,
 * which tests of lasting failures require.
 */
export async function keepOffline(page: Page): Promise<void> {
  await page.routeWebSocket(SOCKET_ADDRESS, () => undefined);
}

/** Lets pages opened from now on wait for their connection. @returns a function that ends this */
export async function delayConnection(page: Page): Promise<() => void> {
  const ended = Promise.withResolvers<void>();
  await page.routeWebSocket(SOCKET_ADDRESS, async (socket) => {
    await ended.promise;
    socket.connectToServer();
  });
  return ended.resolve;
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
