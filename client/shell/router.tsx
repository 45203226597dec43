import { type ComponentType, useEffect, useState } from 'react';
import { createBrowserRouter, redirect, type RouteObject } from 'react-router';
import { isServerThere, laterPages, loadChunk } from '../core/chunks.ts';
import { paths } from '../core/paths.ts';
import { isSignedIn, store } from '../core/store.ts';
import { LoginPage } from '../features/accounts/LoginPage.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { toast } from '../ui/toast-store.ts';

type LoadPage = () => Promise<Record<string, ComponentType>>;

/** Each page but the first is a chunk of its own, loaded when its address is opened. */
const dashboard: RouteObject[] = [
  {
    index: true,
    lazy: laterPage(() => import('../features/dashboard/DashboardPage.tsx')),
  },
  {
    path: paths.users,
    lazy: laterPage(() => import('../features/accounts/UsersPage.tsx')),
  },
  {
    path: paths.account,
    lazy: laterPage(() => import('../features/accounts/AccountPage.tsx')),
  },
  {
    path: paths.matters,
    lazy: laterPage(() => import('../features/cases/MattersPage.tsx')),
  },
  {
    path: '/dashboard/caseDetails/:id',
    lazy: laterPage(() => import('../features/cases/CasePage.tsx')),
  },
  {
    path: paths.contacts,
    lazy: laterPage(() => import('../features/contacts/ContactsPage.tsx')),
  },
  {
    path: '/dashboard/contacts/:id',
    lazy: laterPage(() => import('../features/contacts/ContactPage.tsx')),
  },
  {
    path: paths.conflicts,
    lazy: laterPage(() => import('../features/conflicts/ConflictsPage.tsx')),
  },
  {
    path: '/dashboard/conflicts/:id',
    lazy: laterPage(() => import('../features/conflicts/ConflictPage.tsx')),
  },
  {
    path: paths.tasks,
    lazy: laterPage(() => import('../features/tasks/TasksPage.tsx')),
  },
  {
    path: paths.calendar,
    lazy: laterPage(() => import('../features/calendar/CalendarPage.tsx')),
  },
  {
    path: paths.emails,
    lazy: laterPage(() => import('../features/mails/EmailsPage.tsx')),
  },
  {
    path: paths.messages,
    lazy: laterPage(() => import('../features/messages/MessagesPage.tsx')),
  },
  {
    path: paths.toFile,
    lazy: laterPage(() => import('../features/tray/ToFilePage.tsx')),
  },
  {
    path: paths.intakes,
    lazy: laterPage(() => import('../features/intakes/IntakesPage.tsx')),
  },
  {
    path: paths.firm,
    lazy: laterPage(() => import('../features/firm/FirmPage.tsx')),
  },
  {
    path: paths.templates,
    lazy: laterPage(() => import('../features/templates/TemplatesPage.tsx')),
  },
  {
    path: '/dashboard/firm/move-in/:id?',
    lazy: laterPage(() => import('../features/imports/ImportsPage.tsx')),
  },
  {
    path: paths.storage,
    lazy: laterPage(() => import('../features/storage/StoragePage.tsx')),
  },
  {
    path: '/dashboard/help/:guide',
    lazy: laterPage(() => import('../features/firm/HelpPage.tsx')),
  },
  {
    path: paths.record,
    lazy: laterPage(() => import('../features/audit/RecordPage.tsx')),
  },
];

const notFound = page(() => import('./NotFoundPage.tsx'));

/**
 * Renders another page in place of one that failed to load: throwing here would make the router render nothing, not
 * even the shell.
 */
function page(load: LoadPage) {
  const component = async () => onlyOf(await load());
  return async () => ({ Component: await loadChunk(component).catch(() => lostPage(component)) });
}

/** The component of a page's file, which exports nothing else: naming each would cost the first page bytes. */
function onlyOf(file: Awaited<ReturnType<LoadPage>>): ComponentType {
  return Object.values(file)[0] as ComponentType;
}

/** A page behind the sign-in. */
function laterPage(load: LoadPage) {
  laterPages.push(load);
  return page(load);
}

function lostPage(load: () => Promise<ComponentType>): ComponentType {
  return () => <LostPage load={load} />;
}

export function createRouter() {
  return createBrowserRouter([
    {
      ErrorBoundary: RootError,
      HydrateFallback: () => null,
      children: [
        {
          path: paths.login,
          loader: requireNoSession,
          Component: LoginPage,
        },
        {
          path: paths.register,
          loader: requireNoSession,
          lazy: page(() => import('../features/accounts/RegisterPage.tsx')),
        },
        {
          path: paths.forgotPassword,
          lazy: page(() => import('../features/accounts/ForgotPasswordPage.tsx')),
        },
        {
          path: paths.resetPassword,
          lazy: page(() => import('../features/accounts/ResetPasswordPage.tsx')),
        },
        {
          path: paths.enrol,
          loader: requireEnrolment,
          lazy: page(() => import('./EnrolPage.tsx')),
        },
        {
          path: paths.dashboard,
          loader: requireSession,
          shouldRevalidate: () => false,
          lazy: page(() => import('./Shell.tsx')),
          children: dashboard.map((page) => ({ ErrorBoundary: RouteError, ...page })),
        },
        { path: '/dashboard/*', loader: requireSession, lazy: notFound },
        { path: '*', lazy: notFound },
      ],
    },
  ]);
}

/** For pages that need a signed-in user, with a second factor where the firm demands one. */
function requireSession() {
  if (!isSignedIn()) throw redirect(paths.login);
  if (mustEnrol()) throw redirect(paths.enrol);
  return null;
}

/** For the page that sets up the demanded second factor. */
function requireEnrolment() {
  if (!isSignedIn()) throw redirect(paths.login);
  if (!mustEnrol()) throw redirect(paths.dashboard);
  return null;
}

/** For the sign-in and registration pages. */
function requireNoSession() {
  if (isSignedIn()) throw redirect(paths.dashboard);
  return null;
}

function mustEnrol(): boolean {
  return store.getState().user.current?.mustEnrol === true;
}

/** Shown instead of a page that failed to load or render. */
function RouteError() {
  const [isBusy, setIsBusy] = useState(false);
  const handleRetry = async () => {
    setIsBusy(true);
    // Without the server, reloading would lose the rest of the page.
    if (await isServerThere()) return location.reload();
    setIsBusy(false);
    toast.error('Can’t reach Matterdesk. Check your connection.');
  };
  return (
    <div className="grid min-h-full place-items-center p-6">
      <title>Something went wrong · Matterdesk</title>
      <ErrorState
        title="Couldn’t show this page"
        detail="Something went wrong. Your saved work is safe."
        busy={isBusy}
        onRetry={() => void handleRetry()}
      />
    </div>
  );
}

/** `RouteError` outside the shell, as a page of its own. */
function RootError() {
  return (
    <main className="h-dvh">
      <RouteError />
    </main>
  );
}

/** Milliseconds between retries; the browser's `online` event retries sooner. */
const RETRY_MS = 5000;

interface LostPageProps {
  load: () => Promise<ComponentType>;
}

/** In place of a page whose code could not be loaded. It comes by itself once the server can be reached. */
function LostPage({ load }: LostPageProps) {
  const [found, setFound] = useState<{ Page: ComponentType } | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => {
    if (found) return undefined;
    const again = () => void retry(load, setFound);
    const timer = setInterval(again, RETRY_MS);
    addEventListener('online', again);
    return () => {
      clearInterval(timer);
      removeEventListener('online', again);
    };
  }, [found, load]);
  if (found) return <found.Page />;
  const handleRetry = async () => {
    setIsBusy(true);
    if (await isServerThere()) return location.reload();
    setIsBusy(false);
  };
  return (
    <div className="grid min-h-[60vh] place-items-center p-6">
      <title>No connection · Matterdesk</title>
      <ErrorState
        title="Couldn’t load this page"
        detail="Can’t reach Matterdesk. The page appears as soon as the connection is back."
        busy={isBusy}
        onRetry={() => void handleRetry()}
      />
    </div>
  );
}

async function retry(
  load: () => Promise<ComponentType>,
  show: (found: { Page: ComponentType }) => void,
): Promise<void> {
  if (!(await isServerThere())) return;
  // Some browsers remember that the code was missing, and ask for it again only in a new page.
  const Page = await loadChunk(load).catch(() => undefined);
  if (Page) show({ Page });
}
