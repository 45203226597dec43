// Runs as a blocking script in the page's head. It has no imports, because an import would make it a
// module, which runs after the first paint.
{
  // The chosen theme never flashes.
  const choice = /(?:^|; )theme=(light|dark)(?:;|$)/.exec(document.cookie)?.[1];
  if (choice !== undefined) document.documentElement.classList.add(choice);

  // The page holds the frame of the sign-in page, which no other page flashes.
  const isSignedIn = hasSession();
  if (isSignedIn || location.pathname !== '/') document.documentElement.dataset['inside'] = '';

  // The sign-in page does without the fonts, which would double what it loads.
  const fonts = document.currentScript?.dataset['fonts']?.split(' ') ?? [];
  for (const href of isSignedIn ? fonts : []) {
    const link = document.createElement('link');
    const type = 'font/woff2';
    document.head.append(
      Object.assign(link, { rel: 'preload', as: 'font', type, crossOrigin: '', href }),
    );
  }

  function hasSession() {
    try {
      return localStorage.getItem('redux-user') !== null;
    } catch {
      return false;
    }
  }
}
