// Runs as a blocking file in the page's head, so that somebody who chose a theme never sees a flash
// of the other one. It imports nothing: an import would make it a module, which runs too late.
{
  const choice = /(?:^|; )theme=(light|dark)(?:;|$)/.exec(document.cookie)?.[1];
  if (choice !== undefined) document.documentElement.classList.add(choice);
}
