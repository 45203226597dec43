import Moon from 'lucide-react/icons/moon';
import X from 'lucide-react/icons/x';
import { useEffect, useState } from 'react';
import { keepInTab, keptInTab } from '../../../core/tab-storage.ts';
import { localDay } from '../../../ui/days.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { quietHours, zoneOf } from '../rules.zones.ts';

const REFRESH_MS = 30_000;
/** An evening and the following morning count as the night of the same day. */
const HALF_A_DAY = 12 * 3_600_000;

/** Warns that a text may wake the recipient, unless dismissed for the night. */
export function QuietHours({ number }: { number: string }) {
  const [now, setNow] = useState(() => new Date());
  const keptAs = `quiet-${number}`;
  const [dismissed, setDismissed] = useState(() => keptInTab(keptAs));
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  const words = quietHours(zoneOf(number), now);
  const night = localDay(new Date(now.getTime() - HALF_A_DAY));
  if (words === null || dismissed === night) return null;
  return (
    <p
      role="status"
      className="flex items-center gap-2 bg-amber-soft py-1 pr-2 pl-4 text-sm text-amber sm:pl-6"
    >
      <Moon className="flex-none" />
      <span className="grow">{`${words} You can still send.`}</span>
      <IconButton
        label="Don’t warn me again tonight"
        icon={X}
        variant="quiet"
        onClick={() => {
          keepInTab(keptAs, night);
          setDismissed(night);
        }}
      />
    </p>
  );
}
