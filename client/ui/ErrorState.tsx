import CircleAlert from 'lucide-react/icons/circle-alert';
import RotateCw from 'lucide-react/icons/rotate-cw';
import { Button } from './Button.tsx';

interface ErrorStateProps {
  /** Names the failure, such as 'Couldn’t load the settings'. */
  title: string;
  detail?: string | undefined;
  onRetry: () => void;
  busy?: boolean;
}

/** Shown in place of content that failed to load, with a button to try again. */
export function ErrorState({ title, detail, onRetry, busy = false }: ErrorStateProps) {
  return (
    <div
      role="alert"
      className="mx-auto flex max-w-sm flex-col items-center px-4 py-16 text-center"
    >
      <span className="mb-4 grid size-11 place-items-center rounded-full bg-red-soft text-red">
        <CircleAlert className="size-5" />
      </span>
      <p className="text-heading font-semibold">{title}</p>
      {detail !== undefined && <p className="mt-1 text-pretty text-ink-2">{detail}</p>}
      <Button icon={RotateCw} busy={busy} onClick={onRetry} className="mt-5">
        Try again
      </Button>
    </div>
  );
}
