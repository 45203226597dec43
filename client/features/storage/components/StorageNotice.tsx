import HardDrive from 'lucide-react/icons/hard-drive';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { paths } from '../../../core/paths.ts';
import { isStorageLow } from '../api.ts';

/** Milliseconds between two looks. */
const POLL_MS = 300_000;

/** Above every page, for admins, from a tenth of the room on; looks again after a visit to the page that makes room. */
export function StorageNotice() {
  const { pathname } = useLocation();
  return pathname === paths.storage ? null : <LowStorage />;
}

function LowStorage() {
  const [isLow, setIsLow] = useState(false);
  useEffect(() => {
    let isOver = false;
    const look = async () => {
      const found = await isStorageLow();
      if (!isOver) setIsLow(found);
    };
    void look();
    const timer = setInterval(() => void look(), POLL_MS);
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
