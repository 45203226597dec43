const MARK = 'matterdesk-reloaded-for-chunk';
const AGAIN_AFTER = 60_000;
const CHUNK_TIMEOUT = 120_000;

let reloading: Promise<void> | undefined;
let wanted: () => string | undefined = () => undefined;

/**
 * Dialogs load parts of their own; when one is lost, see `reloadForNewVersion`.
 * @param target the address of the page that is being loaded, if one is
 */
export function reloadOnLostChunk(target: () => string | undefined): void {
  wanted = target;
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
  const target = wanted();
  if (target === undefined) location.reload();
  else location.assign(target);
  await new Promise<never>(() => {});
}

export async function isServerThere(): Promise<boolean> {
  try {
    return (await fetch('/', { method: 'HEAD', cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}
