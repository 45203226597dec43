import WifiOff from 'lucide-react/icons/wifi-off';
import type { ReactNode } from 'react';

/** A banner above the page while the server cannot be reached. */
export function OfflineBanner({ children }: { children: ReactNode }) {
  return (
    <div
      role="status"
      className="flex min-h-9 items-center justify-center gap-2 bg-amber-soft px-4 py-1.5 text-sm font-medium text-amber"
    >
      <WifiOff />
      <span>{children}</span>
    </div>
  );
}
