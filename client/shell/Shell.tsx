import './cover.css';
import './pages.css';
import '../ui/fonts.css';
import './later-slices.ts';
import WifiOff from 'lucide-react/icons/wifi-off';
import {
  useEffect,
  useRef,
  useState,
  type RefObject,
  useLayoutEffect,
  useSyncExternalStore,
} from 'react';
import {
  Outlet,
  useNavigation,
  useLocation,
  useNavigate,
  NavigationType,
  useNavigationType,
} from 'react-router';
import { setRefusalFormatter } from '../api.ts';
import { sentenceForReader } from '../core/administrator.ts';
import { openCall, useLoggedCall } from '../core/call-card.ts';
import { lazyNamed, loadChunk } from '../core/chunks.ts';
import { socketClosed, socketLost, socketOpening } from '../core/connection.ts';
import {
  isCovered,
  isIdle,
  markTouch,
  setCoverable,
  setCovered,
  subscribeCover,
  touchMark,
  msUntilIdle,
} from '../core/idle.ts';
import { paths } from '../core/paths.ts';
import { currentUser, people } from '../core/people.ts';
import { useAppDispatch, useAppSelector, isSignedIn, store } from '../core/store.ts';
import { useFirm, useFirmDay } from '../core/use-firm.ts';
import { useResource } from '../core/use-resource.ts';
import { useScreen } from '../core/use-screen.ts';
import { caseList } from '../features/cases/api.ts';
import type { ListQuery } from '../features/cases/rules.lists.ts';
import { overviewOfDay } from '../features/dashboard/slice.ts';
import { unreadCount, UNREAD } from '../features/mails/slice.ts';
import { conversationList, ALL } from '../features/messages/slice.ts';
import { isFocusLost } from '../ui/focus.ts';
import { closeEarlierToasts, undoLast } from '../ui/toast-store.ts';
import { useDocumentKey } from '../ui/use-document-key.ts';
import { BottomBar } from './BottomBar.tsx';
import { Cover } from './Cover.tsx';
import { isShortcutsKey, isCallKey, isPaletteKey, isUndoKey } from './keys.ts';
import { Navigation } from './Navigation.tsx';
import { NewVersionNotice } from './NewVersionNotice.tsx';
import { demandFactor, loseSession } from './session.ts';

setRefusalFormatter((message) =>
  sentenceForReader(message, store.getState().user.current?.role === 'admin'),
);

const loadPalette = () => import('./Palette.tsx');
const Palette = lazyNamed(loadPalette, 'Palette');
const Shortcuts = lazyNamed(() => import('./Shortcuts.tsx'), 'Shortcuts');
const Call = lazyNamed(() => import('./Call.tsx'), 'Call');
const StorageNotice = lazyNamed(
  () => import('../features/storage/components/StorageNotice.tsx'),
  'StorageNotice',
);

/**
 * The frame of all pages for signed-in users. `main` scrolls; a page that fills the remaining height
 * uses `h-full`.
 */
export function Shell() {
  const screen = useScreen();
  const main = useRef<HTMLElement>(null);
  const [opener, setOpener] = useState<HTMLElement | null>();
  const [typed, setTyped] = useState('');
  const [isHelping, setIsHelping] = useState(false);
  const isOffline = useAppSelector((state) => state.socket.status === 'lost');
  const isAdmin = useAppSelector((state) => state.user.current?.role === 'admin');
  useRealtime();
  useInitialData();
  useOverview();
  const isCovered = useIdle();
  const isCalling = useLoggedCall() !== null;
  usePageFocus(main);
  usePageToasts();
  usePreloadedPalette();
  const find = () => {
    setTyped('');
    setOpener(isFocusLost() ? null : (document.activeElement as HTMLElement));
  };
  const stopFinding = () => setOpener(undefined);
  useGoKeys(main);
  useShellKeys(main, { find, help: () => setIsHelping(true) });
  return (
    <div className="flex h-dvh flex-col">
      <SkipLink to={main} />
      <Progress />
      <NewVersionNotice />
      {isAdmin && <StorageNotice />}
      {isOffline && <OfflineBanner />}
      <div className="flex min-h-0 grow">
        {screen !== 'phone' && <Navigation compact={screen === 'narrow'} onFind={find} />}
        <main
          ref={main}
          id="main"
          tabIndex={-1}
          className="min-w-0 grow overflow-y-auto outline-none"
        >
          <Outlet />
        </main>
      </div>
      {screen === 'phone' && <BottomBar onFind={find} />}
      {isCovered && <Cover />}
      {opener !== undefined && (
        <Palette
          typed={typed}
          opener={opener}
          onClose={stopFinding}
          fallback={<KeyCatcher onType={setTyped} onClose={stopFinding} />}
        />
      )}
      {isCalling && <Call />}
      {isHelping && <Shortcuts onClose={() => setIsHelping(false)} />}
    </div>
  );
}

/** A banner above the page while the server cannot be reached. */
function OfflineBanner() {
  return (
    <div
      role="status"
      className="flex min-h-9 items-center justify-center gap-2 bg-amber-soft px-4 py-1.5 text-sm font-medium text-amber"
    >
      <WifiOff />
      <span>Can’t reach Matterdesk. Reconnecting…</span>
    </div>
  );
}

function SkipLink({ to }: { to: React.RefObject<HTMLElement | null> }) {
  return (
    <a
      href="#main"
      onClick={(event) => {
        event.preventDefault();
        to.current?.focus();
      }}
      className="absolute top-2 left-2 z-30 -translate-y-16 rounded-control bg-accent px-3 py-2 font-medium text-on-accent focus:translate-y-0"
    >
      Skip to content
    </a>
  );
}

/** A line at the top of the page while the next page loads, shown only after a noticeable delay. */
function Progress() {
  if (useNavigation().state === 'idle') return null;
  return (
    <div
      role="progressbar"
      aria-label="Loading the page"
      className="fixed inset-x-0 top-0 z-30 h-0.5 animate-delayed bg-accent"
    />
  );
}

function isBehindDialog(main: HTMLElement | null): boolean {
  return main?.closest('[aria-hidden="true"], [inert], [data-base-ui-inert]') != null;
}

/** A field has the keys that are typed in it, and an undo of its own. */
function isTyping({ target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.closest('input, select, textarea') !== null;
}

/** The keys of every page. Behind an open dialog they do nothing, since its unsaved fields would be lost. */
function useShellKeys(
  main: RefObject<HTMLElement | null>,
  { find, help }: { find: () => void; help: () => void },
) {
  useDocumentKey((event) => {
    if (isPaletteKey(event)) {
      event.preventDefault();
      if (!isBehindDialog(main.current)) find();
      return;
    }
    if (isCallKey(event)) {
      event.preventDefault();
      if (!isBehindDialog(main.current)) openCall();
      return;
    }
    if (event.defaultPrevented || isTyping(event) || isBehindDialog(main.current)) return;
    if (isShortcutsKey(event)) help();
    else if (!isUndoKey(event) || !undoLast()) return;
    event.preventDefault();
  });
}

/** Pairs of keys that open a page, loaded after the page. */
function useGoKeys(main: RefObject<HTMLElement | null>) {
  const navigate = useNavigate();
  useEffect(() => {
    const left = new AbortController();
    const listen = async () => {
      const { listenForGoKeys } = await import('./go-keys.ts');
      listenForGoKeys({
        isFree: (event) => !isTyping(event) && !isBehindDialog(main.current),
        go: (path) => void navigate(path),
        signal: left.signal,
      });
    };
    listen().catch(() => undefined);
    return () => left.abort();
  }, [main, navigate]);
}

/** Keeps what is typed while the palette loads. */
function KeyCatcher(props: { onType: (text: string) => void; onClose: () => void }) {
  return (
    <input
      aria-label="Find anything"
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user asked for it with a key
      autoFocus
      className="sr-only"
      onChange={(event) => props.onType(event.target.value)}
      onKeyDown={(event) => event.key === 'Escape' && props.onClose()}
    />
  );
}

/** Loads the palette before it is asked for, unless the user saves data. */
function usePreloadedPalette() {
  useEffect(() => {
    const { connection } = navigator as { connection?: { saveData?: boolean } };
    if (connection?.saveData === true) return undefined;
    const timer = setTimeout(() => void loadPalette().catch(() => undefined), 2000);
    return () => clearTimeout(timer);
  }, []);
}

/** Keeps the stores up to date with other users' changes while the shell is open. */
function useRealtime(): void {
  const dispatch = useAppDispatch();
  const token = useAppSelector((state) => state.user.token);
  useEffect(() => {
    if (!token) return undefined;
    let isOver = false;
    let close = () => {};
    const open = async () => {
      // Loaded after the page, so that it does not delay it.
      const { listen } = await loadChunk(() => import('../realtime/listen.ts'));
      if (!isOver)
        close = listen(token, dispatch, {
          ended: (reason) => loseSession(token, reason),
          refused: demandFactor,
        });
    };
    const start = () => {
      dispatch(socketOpening());
      open().catch(() => !isOver && dispatch(socketLost()));
    };
    // The browser knows before the socket does, which waits for a missed heartbeat.
    const stop = () => {
      close();
      dispatch(socketLost());
    };
    start();
    globalThis.addEventListener('offline', stop);
    globalThis.addEventListener('online', start);
    return () => {
      isOver = true;
      globalThis.removeEventListener('offline', stop);
      globalThis.removeEventListener('online', start);
      close();
      if (store.getState().user.token) dispatch(socketClosed());
    };
  }, [dispatch, token]);
}

const FIRST_CASES: ListQuery = { statusType: 'Active', search: '' };

/** Loads what every page needs: the user, the people of the firm, the first cases, the conversations. */
function useInitialData(): void {
  useResource(people, 'all');
  useResource(currentUser, 'me');
  useResource(caseList, FIRST_CASES);
  const number = useAppSelector((state) => state.user.current?.twilioConfig.twilioPhoneNumber);
  // Several texts from unknown numbers may arrive at once.
  useResource(conversationList, number ? ALL : null, { batchMs: BATCH_MS });
  const hasMailbox = useAppSelector((state) => state.user.current?.googleRefreshToken != null);
  // On the emails page, the inbox includes the count.
  const isCounted = useLocation().pathname !== paths.emails && hasMailbox;
  useResource(unreadCount, isCounted ? UNREAD : null, { batchMs: BATCH_MS });
}

/** Minimum milliseconds between fetches: where the overview is shown, and where only its counts are. */
const OVERVIEW_INTERVAL_MS = 500;
const COUNTS_INTERVAL_MS = 3000;
const shownAt: string[] = [paths.dashboard, paths.matters];
/** Milliseconds during which several changes are combined into one fetch. */
const BATCH_MS = 120;

/** Keeps the overview and the navigation's counts up to date while the shell is open. */
function useOverview(): void {
  const minIntervalMs = shownAt.includes(useLocation().pathname)
    ? OVERVIEW_INTERVAL_MS
    : COUNTS_INTERVAL_MS;
  useResource(overviewOfDay, useFirmDay(), { batchMs: BATCH_MS, minIntervalMs });
}

const INPUTS = ['pointerdown', 'keydown', 'popstate'] as const;

/** Closes the toasts of a page that the user leaves, but not those of the act that leads away. */
function usePageToasts(): void {
  const { pathname } = useLocation();
  const acted = useRef(0);
  const shown = useRef(pathname);
  useEffect(() => {
    const note = (event: Event) => (acted.current = event.timeStamp);
    for (const input of INPUTS) globalThis.addEventListener(input, note, true);
    return () => {
      for (const input of INPUTS) globalThis.removeEventListener(input, note, true);
    };
  }, []);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    closeEarlierToasts(acted.current);
  }, [pathname]);
}

/**
 * Does what a browser does between documents: a new page starts at its top with the focus on its
 * heading, and going back restores the scroll position.
 */
function usePageFocus(main: RefObject<HTMLElement | null>): void {
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

const TOUCH_EVENTS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove'];
/** Milliseconds between two records of a touch. */
const MIN_TOUCH_INTERVAL_MS = 1000;
/** Until the firm's settings arrive. */
const DEFAULT_IDLE_MINUTES = 720;

/**
 * Covers the page after the firm's minutes without a touch in any tab. While the user is there, a request now and then
 * keeps the session open, since typing sends none.
 * @returns whether the page is covered
 */
function useIdle(): boolean {
  const covered = useSyncExternalStore(subscribeCover, isCovered);
  const { data, refresh } = useFirm();
  const minutes = data?.idleMinutes ?? touchMark()?.minutes ?? DEFAULT_IDLE_MINUTES;
  useEffect(() => {
    setCoverable(true);
    // Opening a page is a touch.
    markTouch({ at: Date.now(), minutes: touchMark()?.minutes ?? DEFAULT_IDLE_MINUTES });
    return () => setCoverable(false);
  }, []);
  useEffect(
    () => (covered ? undefined : watchTouches(minutes, refresh)),
    [covered, minutes, refresh],
  );
  return covered;
}

/** @param stayIn called some time after a touch, at most six times an hour for the usual minutes */
function watchTouches(minutes: number, stayIn: () => void): () => void {
  const stop = new AbortController();
  // Not now: a tab that another one uncovered was not touched.
  let last = touchMark()?.at ?? Date.now();
  let asked = Date.now();
  let asking: ReturnType<typeof setTimeout> | undefined;
  let covering: ReturnType<typeof setTimeout> | undefined;
  const ask = () => {
    asking = undefined;
    asked = Date.now();
    stayIn();
  };
  // A page that is signing out leaves nothing.
  const mark = () => isSignedIn() && markTouch({ at: last, minutes });
  const touch = () => {
    const now = Date.now();
    if (now - last < MIN_TOUCH_INTERVAL_MS) return;
    // The page may have slept beyond the time.
    if (isIdle()) return setCovered(true);
    last = now;
    mark();
    asking ??= setTimeout(ask, Math.max(0, asked + keepAliveMs(minutes) - now));
  };
  const check = () => {
    clearTimeout(covering);
    const left = msUntilIdle({ at: touchMark()?.at ?? last, minutes });
    if (left <= 0) setCovered(true);
    else covering = setTimeout(check, left);
  };
  mark();
  check();
  const options = { signal: stop.signal, passive: true, capture: true };
  for (const name of TOUCH_EVENTS) addEventListener(name, touch, options);
  // Timers of hidden pages are late.
  for (const name of ['focus', 'pageshow']) addEventListener(name, check, options);
  document.addEventListener('visibilitychange', check, options);
  return () => {
    stop.abort();
    clearTimeout(asking);
    clearTimeout(covering);
  };
}

/** Milliseconds between two requests: a tenth of the time, from half a minute to ten minutes. */
function keepAliveMs(minutes: number): number {
  return Math.min(600_000, Math.max(30_000, minutes * 6000));
}
