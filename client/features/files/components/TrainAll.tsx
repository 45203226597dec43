import Sparkles from 'lucide-react/icons/sparkles';
import { type RefObject, useLayoutEffect, useRef } from 'react';
import { useAppSelector } from '../../../core/store.ts';
import { useAttempt } from '../../../core/use-attempt.ts';
import { counted } from '../../../core/words.ts';
import { Button } from '../../../ui/Button.tsx';
import { useLibrary } from '../hooks/use-library.ts';
import { untrainedUrls } from '../rules.ts';
import { libraryOf } from '../slice.ts';

/** A single file has its own button. */
const MIN_UNTRAINED = 2;

interface TrainAllProps {
  /** The folder whose files are trained; without it, those of the case. */
  folder?: string;
  /** Takes the focus when the button goes. */
  home: RefObject<HTMLElement | null>;
}

/** Trains all untrained files with one click. */
export function TrainAll({ folder, home }: TrainAllProps) {
  const { caseId, trainAll } = useLibrary();
  const count = useAppSelector(
    ({ files }) => untrainedUrls(libraryOf(files, caseId), folder).length,
  );
  const { isBusy, attempt } = useAttempt();
  const isShown = isBusy || count >= MIN_UNTRAINED;
  // React reports no blur for an element that it removes.
  const hasFocus = useRef(false);
  useLayoutEffect(() => {
    if (isShown || !hasFocus.current) return;
    hasFocus.current = false;
    home.current?.focus({ preventScroll: true });
  }, [isShown, home]);
  if (!isShown) return null;
  return (
    <Button
      size="small"
      variant={folder === undefined ? 'default' : 'quiet'}
      aria-label={folder === undefined ? undefined : `Train all in ${folder}`}
      busy={isBusy}
      onFocus={() => {
        hasFocus.current = true;
      }}
      onBlur={() => {
        hasFocus.current = false;
      }}
      onClick={() => void attempt({ folder }, () => trainAll(folder))}
    >
      {folder === undefined && <Sparkles />}
      {folder === undefined && count > 0 ? `Train all ${counted(count, 'file')}` : 'Train all'}
    </Button>
  );
}
