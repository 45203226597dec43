import Moon from 'lucide-react/icons/moon';
import X from 'lucide-react/icons/x';
import { useEffect, useState } from 'react';
import { IconButton } from '../../../ui/IconButton.tsx';
import { acceptNight, nightWords } from '../rules.night.ts';

const REFRESH_MS = 30_000;

/** Warns that a text may wake the recipient, unless dismissed for the night. */
export function QuietHours({ number }: { number: string }) {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  const words = nightWords(number, now);
  if (words === null) return null;
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
          acceptNight(number, now);
          setNow(new Date());
        }}
      />
    </p>
  );
}
