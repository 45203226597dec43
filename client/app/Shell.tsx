import { Outlet } from 'react-router';
import { useRealtime } from '../realtime/useRealtime.ts';
import { Navigation } from './Navigation.tsx';

/**
 * The frame of all pages for people who are signed in. `main` scrolls; a page that wants to fill the
 * height that is left takes `h-full`.
 */
export function Shell() {
  useRealtime();
  return (
    <div className="flex h-dvh">
      <Navigation />
      <main id="main" tabIndex={-1} className="min-w-0 grow overflow-y-auto outline-none">
        <Outlet />
      </main>
    </div>
  );
}
