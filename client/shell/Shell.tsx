import './cover.css';
import './fonts.css';
import './later-slices.ts';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Outlet, useNavigation } from 'react-router';
import { useRealtime } from '../realtime/use-realtime.ts';
import { OfflineBanner } from '../ui/OfflineBanner.tsx';
import { Cover } from './Cover.tsx';
import { BottomBar } from './BottomBar.tsx';
import { Navigation } from './Navigation.tsx';
import { NewVersionNotice } from './NewVersionNotice.tsx';
import { opensPalette } from './palette-keys.ts';
import { useAppSelector } from '../core/store.ts';
import { useEntry } from './use-entry.ts';
import { useIdle } from './use-idle.ts';
import { useOverview } from './use-overview.ts';
import { usePageFocus } from './use-page-focus.ts';
import { usePageToasts } from './use-page-toasts.ts';
import { useScreen } from '../core/use-screen.ts';
import { useDocumentKey } from '../ui/use-document-key.ts';

const loadPalette = () => import('./Palette.tsx');
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }));
const StorageNotice = lazy(async () => ({
  default: (await import('../features/storage/components/StorageNotice.tsx')).StorageNotice,
}));

/**
 * The frame of all pages for signed-in users. `main` scrolls; a page that fills the remaining height
 * uses `h-full`.
 */
export function Shell() {
  const screen = useScreen();
  const main = useRef<HTMLElement>(null);
  const [opener, setOpener] = useState<HTMLElement | null>();
  const [typed, setTyped] = useState('');
  const isOffline = useAppSelector((state) => state.socket.status === 'lost');
  const isAdmin = useAppSelector((state) => state.user.current?.role === 'admin');
  useRealtime();
  useEntry();
  useOverview();
  const isCovered = useIdle();
  usePageFocus(main);
  usePageToasts();
  usePreloadedPalette();
  const find = () => {
    setTyped('');
    setOpener(document.activeElement as HTMLElement | null);
  };
  const stopFinding = () => setOpener(undefined);
  useDocumentKey((event) => {
    if (!opensPalette(event)) return;
    event.preventDefault();
    // Navigating would discard what is typed in an open dialog.
    if (!isBehindDialog(main.current)) find();
  });
  return (
    <div className="flex h-dvh flex-col">
      <SkipLink to={main} />
      <Progress />
      <NewVersionNotice />
      {isAdmin && (
        <Suspense>
          <StorageNotice />
        </Suspense>
      )}
      {isOffline && <OfflineBanner>Can’t reach Matterdesk. Reconnecting…</OfflineBanner>}
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
        <Suspense fallback={<KeyCatcher onType={setTyped} onClose={stopFinding} />}>
          <Palette typed={typed} opener={opener} onClose={stopFinding} />
        </Suspense>
      )}
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
