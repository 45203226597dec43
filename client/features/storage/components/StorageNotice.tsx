import HardDrive from 'lucide-react/icons/hard-drive';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { paths } from '../../../core/paths.ts';
import { isStorageLow } from '../api.ts';

/** Milliseconds between two checks. */
const POLL_MS = 300_000;

/**
 * Warns admins above every page when a tenth of the storage or less is free; checks again after they visit the
 * storage page.
 */
export function StorageNotice() {
  const { pathname } = useLocation();
  return pathname === paths.storage ? null : <LowStorage />;
}

function LowStorage() {
  const [isLow, setIsLow] = useState(false);
  useEffect(() => {
    let isOver = false;
    const check = async () => {
      const found = await isStorageLow();
      if (!isOver) setIsLow(found);
    };
    void check();
    const timer = setInterval(() => void check(), POLL_MS);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, []);
  if (!isLow) return null;
  return (
    <div
      role="status"
      className="flex min-h-9 items-center justify-center gap-2 bg-amber-soft px-4 py-1.5 text-sm font-medium text-amber"
    >
      <HardDrive />
      <span>File storage is almost full.</span>
      <Link to={paths.storage} className="underline underline-offset-2">
        Free up space
      </Link>
    </div>
  );
}
