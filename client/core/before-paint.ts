// Runs as a blocking script in the page's head. It has no imports, because an import would make it a
// module, which runs after the first paint.
{
  // The chosen theme never flashes.
  const choice = /(?:^|; )theme=(light|dark)(?:;|$)/.exec(document.cookie)?.[1];
  if (choice !== undefined) document.documentElement.classList.add(choice);

  // Show nothing of the session once every tab has been idle for the firm's limit.
  wipeIdleSession();

  // The page holds the frame of the sign-in page, which no other page flashes.
  const isSignedIn = hasSession();
  if (isSignedIn || location.pathname !== '/') document.documentElement.dataset['inside'] = '';

  // Skip the fonts on the sign-in page: they would double its download.
  const hasFonts =
    isSignedIn || /^\/(register|forgot-password|reset-password)\b/.test(location.pathname);
  const fonts = document.currentScript?.dataset['fonts']?.split(' ') ?? [];
  for (const href of hasFonts ? fonts : []) {
    const link = document.createElement('link');
    const type = 'font/woff2';
    document.head.append(
      Object.assign(link, { rel: 'preload', as: 'font', type, crossOrigin: '', href }),
    );
  }

  function wipeIdleSession() {
    try {
      const mark = localStorage.getItem('matterdesk-touched')?.split(' ') ?? [];
      const [at = Number.NaN, minutes = Number.NaN] = mark.map(Number);
      if (!(Date.now() - at >= minutes * 60_000)) return;
      for (const key of Object.keys(localStorage))
        if (key.startsWith('redux-')) localStorage.removeItem(key);
    } catch {
      // Storage is forbidden, so that nothing is stored.
    }
  }

  function hasSession() {
    try {
      return localStorage.getItem('redux-user') !== null;
    } catch {
      return false;
    }
  }
}
