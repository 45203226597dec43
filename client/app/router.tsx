import { createBrowserRouter, type RouteObject } from 'react-router';
import { requireNoSession, requireSession } from './guards.ts';
import { paths } from './paths.ts';
import { RouteError } from './RouteError.tsx';

/** Each page is a chunk of its own, loaded when its address is opened. */
const dashboard: RouteObject[] = [
  {
    index: true,
    lazy: async () => ({
      Component: (await import('../features/dashboard/DashboardPage.tsx')).DashboardPage,
    }),
  },
  {
    path: paths.users,
    lazy: async () => ({
      Component: (await import('../features/accounts/UsersPage.tsx')).UsersPage,
    }),
  },
  {
    path: paths.matters,
    lazy: async () => ({
      Component: (await import('../features/cases/MattersPage.tsx')).MattersPage,
    }),
  },
  {
    path: '/dashboard/caseDetails/:id',
    lazy: async () => ({ Component: (await import('../features/cases/CasePage.tsx')).CasePage }),
  },
  {
    path: paths.tasks,
    lazy: async () => ({ Component: (await import('../features/tasks/TasksPage.tsx')).TasksPage }),
  },
  {
    path: paths.calendar,
    lazy: async () => ({
      Component: (await import('../features/calendar/CalendarPage.tsx')).CalendarPage,
    }),
  },
  {
    path: paths.emails,
    lazy: async () => ({
      Component: (await import('../features/mails/EmailsPage.tsx')).EmailsPage,
    }),
  },
  {
    path: paths.messages,
    lazy: async () => ({
      Component: (await import('../features/messages/MessagesPage.tsx')).MessagesPage,
    }),
  },
  {
    path: paths.intakes,
    lazy: async () => ({
      Component: (await import('../features/intakes/IntakesPage.tsx')).IntakesPage,
    }),
  },
];

const notFound = async () => ({ Component: (await import('./NotFoundPage.tsx')).NotFoundPage });

export function createRouter() {
  return createBrowserRouter([
    {
      ErrorBoundary: RouteError,
      HydrateFallback: () => null,
      children: [
        {
          path: paths.login,
          loader: requireNoSession,
          lazy: async () => ({
            Component: (await import('../features/accounts/LoginPage.tsx')).LoginPage,
          }),
        },
        {
          path: paths.register,
          loader: requireNoSession,
          lazy: async () => ({
            Component: (await import('../features/accounts/RegisterPage.tsx')).RegisterPage,
          }),
        },
        {
          path: paths.dashboard,
          loader: requireSession,
          shouldRevalidate: () => false,
          lazy: async () => ({ Component: (await import('./Shell.tsx')).Shell }),
          children: dashboard.map((page) => ({ ErrorBoundary: RouteError, ...page })),
        },
        { path: '/dashboard/*', loader: requireSession, lazy: notFound },
        { path: '*', lazy: notFound },
      ],
    },
  ]);
}
