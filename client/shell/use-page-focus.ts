import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router';

/**
 * What a browser does on its own between documents: on a new page the reading starts at its heading
 * and at its top, and going back finds the place where one was.
 */
export function usePageFocus(main: RefObject<HTMLElement | null>): void {
  const { pathname, key } = useLocation();
  const type = useNavigationType();
  const places = useRef(new Map<string, number>());
  const last = useRef<string>(undefined);

  // Before anything scrolls: what the new page does must not be noted for the old one.
  const here = useRef(key);
  useLayoutEffect(() => {
    here.current = key;
  }, [key]);

  useEffect(() => {
    const element = main.current;
    const note = () => places.current.set(here.current, element?.scrollTop ?? 0);
    element?.addEventListener('scroll', note, { passive: true });
    return () => element?.removeEventListener('scroll', note);
  }, [main]);

  useLayoutEffect(() => {
    if (last.current === pathname) return;
    const isFirst = last.current === undefined;
    last.current = pathname;
    const isBack = type === NavigationType.Pop;
    main.current?.scrollTo({
      top: isBack ? (places.current.get(key) ?? 0) : 0,
      behavior: 'instant',
    });
    if (!isFirst || !isBack) focusHeading(main.current);
  }, [main, pathname, key, type]);
}

/** Unless the page has put the focus somewhere itself. */
function focusHeading(main: HTMLElement | null): void {
  if (main === null || main.contains(document.activeElement)) return;
  const heading = main.querySelector('h1');
  // Reachable by script alone; the ring would say that one can act on it.
  heading?.setAttribute('tabindex', '-1');
  if (heading) heading.style.outline = 'none';
  (heading ?? main).focus({ preventScroll: true });
}
