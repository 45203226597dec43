import type { Page, WebSocketRoute } from '@playwright/test';

const address = /socket\.io/;

/**
 * Opens a page and waits for its connection: from then on the page receives events, which
 * it missed before.
 */
export async function openHearing(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: 'commit' });
  await untilConnected(page);
}

/** Waits for the page's next connection. */
async function untilConnected(page: Page): Promise<void> {
  const line = await page.waitForEvent('websocket', (socket) => address.test(socket.url()));
  // Socket.IO's packet for a connection.
  await line.waitForEvent('framereceived', ({ payload }) => String(payload).startsWith('40'));
}

/**
 * Keeps pages opened from now on without a connection. They receive no events and do not refetch,
 * which tests of lasting failures require.
 */
export async function withoutLine(page: Page): Promise<void> {
  await page.routeWebSocket(address, () => undefined);
}

/** A connection that the test cuts and restores. */
export type HeldLine = {
  /** Closes the connection and blocks new ones until it is restored. */
  cut: () => Promise<void>;
  /** Waits until the page is connected again. */
  mend: () => Promise<void>;
};

/** Controls the connections of pages opened from now on. */
export async function holdLine(page: Page): Promise<HeldLine> {
  const open = new Set<WebSocketRoute>();
  let isCut = false;
  await page.routeWebSocket(address, (socket) => {
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
    async mend() {
      isCut = false;
      await untilConnected(page);
    },
  };
}
