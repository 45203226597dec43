import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router';

/**
 * Does what a browser does between documents: a new page starts at its top with the focus on its
 * heading, and going back restores the scroll position.
 */
export function usePageFocus(main: RefObject<HTMLElement | null>): void {
  const { pathname, key } = useLocation();
  const type = useNavigationType();
  const places = useRef(new Map<string, number>());
  const last = useRef<string>(undefined);

  // In a layout effect, so that the new page's scrolling is not saved for the old page.
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

/** Does nothing when the page has set the focus itself. */
function focusHeading(main: HTMLElement | null): void {
  if (main === null || main.contains(document.activeElement)) return;
  const heading = main.querySelector('h1');
  // Focusable by script only, and without the ring of an interactive element.
  heading?.setAttribute('tabindex', '-1');
  if (heading) heading.style.outline = 'none';
  (heading ?? main).focus({ preventScroll: true });
}
