import type { Locator } from '@playwright/test';

/**
 * Looks in the page itself for the moment in which a place begins, or ends, to show a text: asking from
 * without adds what a busy machine takes to answer.
 * @returns what waits for the moment, in milliseconds since 1970
 */
export async function watchFor(
  place: Locator,
  text: string,
  isWanted = true,
): Promise<() => Promise<number>> {
  const watch = await place.evaluateHandle(
    (element, wanted) => ({
      moment: new Promise<number>((resolve) => {
        const look = () => {
          if (element.textContent.includes(wanted.text) === wanted.isWanted) resolve(Date.now());
        };
        const changes = { subtree: true, childList: true, characterData: true };
        new MutationObserver(look).observe(element, changes);
      }),
    }),
    { text, isWanted },
  );
  return () => watch.evaluate(({ moment }) => moment);
}
