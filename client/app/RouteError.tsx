import { useNavigate } from 'react-router';
import { ErrorState } from '../ui/ErrorState.tsx';

/** Shown in place of a page that could not be loaded or shown. */
export function RouteError() {
  const navigate = useNavigate();
  return (
    <main className="grid min-h-full place-items-center p-6">
      <ErrorState
        title="This page could not be shown"
        detail="Something went wrong. Nothing that was saved is lost."
        onRetry={() => void navigate(0)}
      />
    </main>
  );
}
