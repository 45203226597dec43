const MARK = 'matterdesk-reloaded-for-chunk';
const AGAIN_AFTER = 60_000;
const CHUNK_TIMEOUT = 120_000;

let reloading: Promise<void> | undefined;

/** Dialogs load parts of their own; when one is lost, see `reloadForNewVersion`. */
export function reloadOnLostChunk(): void {
  addEventListener('vite:preloadError', () => void reloadForNewVersion());
}

/** Loads the chunk of a page. One that is on its way for two minutes will not come. */
export async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(reject, CHUNK_TIMEOUT, new Error('The page took longer than 120 seconds'));
  });
  try {
    return await Promise.race([load(), tooLate]);
  } catch (error) {
    await reloadForNewVersion();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * A chunk is missing when a new version was installed while the page was open: loading the page anew
 * gets the new ones, and this then never resolves. Only once a minute, so that a fault does not make
 * it spin, and only while the server answers: otherwise not even the rest of the page would be left.
 */
function reloadForNewVersion(): Promise<void> {
  reloading ??= reloadOnce().finally(() => {
    reloading = undefined;
  });
  return reloading;
}

async function reloadOnce(): Promise<void> {
  const last = Number(sessionStorage.getItem(MARK) ?? 0);
  if (Date.now() - last < AGAIN_AFTER || !(await isServerThere())) return;
  sessionStorage.setItem(MARK, String(Date.now()));
  location.reload();
  await new Promise<never>(() => {});
}

export async function isServerThere(): Promise<boolean> {
  try {
    return (await fetch('/', { method: 'HEAD', cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}
