import Moon from 'lucide-react/icons/moon';
import X from 'lucide-react/icons/x';
import { useEffect, useState } from 'react';
import { keepInTab, keptInTab } from '../../../core/tab-storage.ts';
import { localDay } from '../../../ui/days.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { quietHours, zoneOf } from '../rules.zones.ts';

const LOOK_MS = 30_000;
/** Of a night both evenings and mornings count to the day that it begins. */
const HALF_A_DAY = 12 * 3_600_000;

/** Says that a text may wake somebody, before it is sent; until it is taken away for this night. */
export function QuietHours({ number }: { number: string }) {
  const [now, setNow] = useState(() => new Date());
  const keptAs = `quiet-${number}`;
  const [dismissed, setDismissed] = useState(() => keptInTab(keptAs));
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), LOOK_MS);
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
