import { createElement, type ComponentType } from 'react';
import { createBrowserRouter, type RouteObject } from 'react-router';
import { laterPages, loadChunk } from '../core/chunks.ts';
import { LoginPage } from '../features/accounts/LoginPage.tsx';
import { requireEnrolment, requireNoSession, requireSession } from './guards.ts';
import { paths } from '../core/paths.ts';
import { RootError, RouteError } from './RouteError.tsx';
import { LostPage } from './LostPage.tsx';

/** Each page but the first is a chunk of its own, loaded when its address is opened. */
const dashboard: RouteObject[] = [
  {
    index: true,
    lazy: laterPage(
      async () => (await import('../features/dashboard/DashboardPage.tsx')).DashboardPage,
    ),
  },
  {
    path: paths.users,
    lazy: laterPage(async () => (await import('../features/accounts/UsersPage.tsx')).UsersPage),
  },
  {
    path: paths.account,
    lazy: laterPage(async () => (await import('../features/accounts/AccountPage.tsx')).AccountPage),
  },
  {
    path: paths.matters,
    lazy: laterPage(async () => (await import('../features/cases/MattersPage.tsx')).MattersPage),
  },
  {
    path: '/dashboard/caseDetails/:id',
    lazy: laterPage(async () => (await import('../features/cases/CasePage.tsx')).CasePage),
  },
  {
    path: paths.contacts,
    lazy: laterPage(
      async () => (await import('../features/contacts/ContactsPage.tsx')).ContactsPage,
    ),
  },
  {
    path: '/dashboard/contacts/:id',
    lazy: laterPage(async () => (await import('../features/contacts/ContactPage.tsx')).ContactPage),
  },
  {
    path: paths.conflicts,
    lazy: laterPage(
      async () => (await import('../features/conflicts/ConflictsPage.tsx')).ConflictsPage,
    ),
  },
  {
    path: '/dashboard/conflicts/:id',
    lazy: laterPage(
      async () => (await import('../features/conflicts/ConflictPage.tsx')).ConflictPage,
    ),
  },
  {
    path: paths.tasks,
    lazy: laterPage(async () => (await import('../features/tasks/TasksPage.tsx')).TasksPage),
  },
  {
    path: paths.calendar,
    lazy: laterPage(
      async () => (await import('../features/calendar/CalendarPage.tsx')).CalendarPage,
    ),
  },
  {
    path: paths.emails,
    lazy: laterPage(async () => (await import('../features/mails/EmailsPage.tsx')).EmailsPage),
  },
  {
    path: paths.messages,
    lazy: laterPage(
      async () => (await import('../features/messages/MessagesPage.tsx')).MessagesPage,
    ),
  },
  {
    path: paths.toFile,
    lazy: laterPage(async () => (await import('../features/tray/ToFilePage.tsx')).ToFilePage),
  },
  {
    path: paths.intakes,
    lazy: laterPage(async () => (await import('../features/intakes/IntakesPage.tsx')).IntakesPage),
  },
  {
    path: paths.firm,
    lazy: laterPage(async () => (await import('../features/firm/FirmPage.tsx')).FirmPage),
  },
  {
    path: paths.storage,
    lazy: laterPage(async () => (await import('../features/storage/StoragePage.tsx')).StoragePage),
  },
  {
    path: '/dashboard/help/:guide',
    lazy: laterPage(async () => (await import('../features/firm/HelpPage.tsx')).HelpPage),
  },
  {
    path: paths.record,
    lazy: laterPage(async () => (await import('../features/audit/RecordPage.tsx')).RecordPage),
  },
];

const notFound = page(async () => (await import('./NotFoundPage.tsx')).NotFoundPage);

/**
 * Renders another page in place of one that failed to load: throwing here would make the router render nothing, not
 * even the shell.
 */
function page(load: () => Promise<ComponentType>) {
  return async () => ({ Component: await loadChunk(load).catch(() => lost(load)) });
}

/** A page behind the sign-in. */
function laterPage(load: () => Promise<ComponentType>) {
  laterPages.push(load);
  return page(load);
}

function lost(load: () => Promise<ComponentType>): ComponentType {
  return () => createElement(LostPage, { load });
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
          lazy: page(
            async () => (await import('../features/accounts/RegisterPage.tsx')).RegisterPage,
          ),
        },
        {
          path: paths.forgotPassword,
          lazy: page(
            async () =>
              (await import('../features/accounts/ForgotPasswordPage.tsx')).ForgotPasswordPage,
          ),
        },
        {
          path: paths.resetPassword,
          lazy: page(
            async () =>
              (await import('../features/accounts/ResetPasswordPage.tsx')).ResetPasswordPage,
          ),
        },
        {
          path: paths.enrol,
          loader: requireEnrolment,
          lazy: page(async () => (await import('./EnrolPage.tsx')).EnrolPage),
        },
        {
          path: paths.dashboard,
          loader: requireSession,
          shouldRevalidate: () => false,
          lazy: page(async () => (await import('./Shell.tsx')).Shell),
          children: dashboard.map((page) => ({ ErrorBoundary: RouteError, ...page })),
        },
        { path: '/dashboard/*', loader: requireSession, lazy: notFound },
        { path: '*', lazy: notFound },
      ],
    },
  ]);
}
