import { type ComponentType, useEffect, useState } from 'react';
import { isServerThere, loadChunk } from '../core/chunks.ts';
import { ErrorState } from '../ui/ErrorState.tsx';

/** Milliseconds between two tries; the browser says sooner when its own line is back. */
const AGAIN = 5000;

interface LostPageProps {
  load: () => Promise<ComponentType>;
}

/** In place of a page whose code could not be loaded. It comes by itself once the server can be reached. */
export function LostPage({ load }: LostPageProps) {
  const [found, setFound] = useState<{ Page: ComponentType } | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => {
    if (found) return undefined;
    const again = () => void retry(load, setFound);
    const timer = setInterval(again, AGAIN);
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
