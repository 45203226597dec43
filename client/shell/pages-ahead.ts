import { laterPages } from '../core/chunks.ts';

/** Milliseconds after the first page, which needs the line and the processor for itself. */
const LATER = 5000;

/** Loads the code of the other pages while nothing else happens, so that going there waits for no network. */
export function loadPagesAhead(): void {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData === true) return;
  setTimeout(() => void loadAll(), LATER);
}

async function loadAll(): Promise<void> {
  for (const load of laterPages.splice(0)) {
    await quiet();
    // Without a connection, each page says so when it is opened.
    await load().catch(() => undefined);
  }
}

function quiet(): Promise<unknown> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(resolve);
    else setTimeout(resolve, LATER / 10);
  });
}
