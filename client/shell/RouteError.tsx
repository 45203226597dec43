import { useState } from 'react';
import { isServerThere } from '../core/chunks.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { toast } from '../ui/toast-store.ts';

/** Shown instead of a page that failed to load or render. */
export function RouteError() {
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

/** The same outside the shell. */
export function RootError() {
  return (
    <main className="h-dvh">
      <RouteError />
    </main>
  );
}
