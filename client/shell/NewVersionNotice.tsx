import { useSyncExternalStore } from 'react';
import { hasNewVersion, subscribeToVersion } from '../core/new-version.ts';
import { Button } from '../ui/Button.tsx';

/** Leaves the moment of the reload to the user, who may be typing. */
export function NewVersionNotice() {
  if (!useSyncExternalStore(subscribeToVersion, hasNewVersion)) return null;
  return (
    <div
      role="status"
      className="flex min-h-9 items-center justify-center gap-3 bg-accent-soft px-4 py-1.5 text-sm font-medium"
    >
      <span>A new version is available.</span>
      <Button size="small" onClick={() => location.reload()}>
        Reload
      </Button>
    </div>
  );
}
