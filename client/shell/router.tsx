import { createElement, type ComponentType } from 'react';
import { createBrowserRouter, type RouteObject } from 'react-router';
import { laterPages, loadChunk } from '../core/chunks.ts';
import { paths } from '../core/paths.ts';
import { LoginPage } from '../features/accounts/LoginPage.tsx';
import { requireEnrolment, requireNoSession, requireSession } from './guards.ts';
import { LostPage } from './LostPage.tsx';
import { RootError, RouteError } from './RouteError.tsx';

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
  return async () => ({ Component: await loadChunk(component).catch(() => lost(component)) });
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
