// Runs as a blocking script in the page's head, so that the chosen theme never flashes. It has no
// imports, because an import would make it a module, which runs after the first paint.
{
  const choice = /(?:^|; )theme=(light|dark)(?:;|$)/.exec(document.cookie)?.[1];
  if (choice !== undefined) document.documentElement.classList.add(choice);
}
