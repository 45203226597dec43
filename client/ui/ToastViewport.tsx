import CircleAlert from 'lucide-react/icons/circle-alert';
import CircleCheck from 'lucide-react/icons/circle-check';
import Info from 'lucide-react/icons/info';
import X from 'lucide-react/icons/x';
import { useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { Button, IconButton } from './Button.tsx';
import {
  closeToast,
  holdToasts,
  holdUnderPointer,
  subscribeToasts,
  type Toast,
  type ToastKind,
  visibleToasts,
} from './toast-store.ts';

const ICONS = { success: CircleCheck, error: CircleAlert, plain: Info } as const;
const TONES: Record<ToastKind, string> = {
  success: 'text-green',
  error: 'text-red',
  plain: 'text-accent',
};

/** Shows toasts, above dialogs too. The application renders it once. */
export function ToastViewport() {
  const toasts = useSyncExternalStore(subscribeToasts, visibleToasts);
  return createPortal(
    // The region is rendered while empty, since screen readers announce only later additions.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it only detects whether someone is reading
    <section
      aria-label="Notifications"
      aria-live="polite"
      aria-relevant="additions"
      onPointerEnter={holdUnderPointer}
      onPointerMove={holdUnderPointer}
      onPointerLeave={() => holdToasts(false)}
      onFocus={() => holdToasts(true)}
      onBlur={() => holdToasts(false)}
      className="pointer-events-none fixed top-28 right-3 left-3 z-50 flex flex-col items-end gap-2 *:pointer-events-auto sm:top-40 sm:right-6 sm:left-auto"
    >
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </section>,
    document.body,
  );
}

function ToastCard({ toast: { id, kind, text, actions } }: { toast: Toast }) {
  const Icon = ICONS[kind];
  const close = () => {
    // The removed button never reports that pointer and focus have left it.
    holdToasts(false);
    closeToast(id);
  };
  return (
    <div
      role={kind === 'error' ? 'alert' : undefined}
      className="flex max-w-full animate-appear items-center gap-2.5 rounded-[9px] border border-line-strong bg-surface py-[7px] pr-1.5 pl-3.5 shadow-float sm:max-w-md"
    >
      <Icon className={TONES[kind]} />
      <p className="min-w-24 py-1 wrap-anywhere">{text}</p>
      {actions.map(({ label, run }) => (
        <Button
          key={label}
          size="small"
          onClick={() => {
            close();
            run();
          }}
        >
          {label}
        </Button>
      ))}
      <IconButton
        label="Dismiss notification"
        icon={X}
        variant="quiet"
        size="small"
        onClick={close}
      />
    </div>
  );
}
