import type { Page, WebSocketRoute } from '@playwright/test';

const address = /socket\.io/;

/**
 * Goes to a page and waits for its line, which opens after it: what others do is heard from then on,
 * and not by the page before.
 */
export async function openHearing(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: 'commit' });
  await untilConnected(page);
}

/** Waits for the next line of a page to stand. */
async function untilConnected(page: Page): Promise<void> {
  const line = await page.waitForEvent('websocket', (socket) => address.test(socket.url()));
  // Socket.IO's own word for being connected.
  await line.waitForEvent('framereceived', ({ payload }) => String(payload).startsWith('40'));
}

/**
 * Leaves the pages that are gone to from now on without a line. They hear of nobody and, which a test of
 * a failure that is mended needs, ask for nothing afresh by themselves.
 */
export async function withoutLine(page: Page): Promise<void> {
  await page.routeWebSocket(address, () => undefined);
}

/** A line that the test cuts, and mends. */
export type HeldLine = {
  /** Ends what is open, and lets nothing open until it is mended. */
  cut: () => Promise<void>;
  /** Waits until the page hears again. */
  mend: () => Promise<void>;
};

/** Holds the lines of the pages that are gone to from now on. */
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
