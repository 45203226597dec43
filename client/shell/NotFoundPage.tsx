import { Link, useNavigate } from 'react-router';
import { paths } from '../core/paths.ts';
import { Brand } from '../ui/Brand.tsx';
import { buttonClass } from '../ui/Button.tsx';

export function NotFoundPage() {
  const navigate = useNavigate();
  return (
    <main className="flex min-h-dvh flex-col px-4 py-6 sm:px-16 sm:py-10">
      <title>Page not found · Matterdesk</title>
      <Brand />
      <div className="my-auto max-w-xl py-10">
        <p aria-hidden="true" className="text-sm font-medium text-ink-3 tabular-nums">
          404
        </p>
        <h1 className="mt-2 font-serif text-welcome font-strong">Oops! Page Not Found</h1>
        <p className="mt-3 text-heading text-ink-2">
          The page you are looking for might be in another dimension.
        </p>
        <div className="mt-8 flex flex-wrap gap-2">
          <Link
            to={paths.login}
            className={buttonClass()}
            onClick={(event) => {
              if (!hasHistory()) return;
              event.preventDefault();
              void navigate(-1);
            }}
          >
            Go back
          </Link>
          <Link to={paths.login} className={buttonClass({ variant: 'primary' })}>
            Go to Home
          </Link>
        </div>
      </div>
    </main>
  );
}

/** Whether the user can go back, within the application or to the page that linked here. */
function hasHistory(): boolean {
  const isWithin =
    'navigation' in globalThis
      ? navigation.canGoBack
      : ((history.state as { idx?: number } | null)?.idx ?? 0) > 0;
  return isWithin || (document.referrer !== '' && history.length > 1);
}
