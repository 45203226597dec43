const MARK = 'matterdesk-reloaded-for-chunk';
const AGAIN_AFTER = 60_000;

/**
 * A chunk is missing when a new version was installed while the page was open: loading the page anew
 * gets the new ones. Only once a minute, so that a server that is down does not make it spin.
 */
export function reloadOnLostChunk(): void {
  globalThis.addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(MARK) ?? 0);
    if (Date.now() - last < AGAIN_AFTER) return;
    sessionStorage.setItem(MARK, String(Date.now()));
    event.preventDefault();
    location.reload();
  });
}
