import { AlertDialog } from '@base-ui/react/alert-dialog';
import { type ReactNode, useRef } from 'react';
import { Button } from './Button.tsx';

interface ConfirmDialogProps {
  open: boolean;
  onClose: () => void;
  onConfirm: () => void;
  title: string;
  /** The consequence of confirming. */
  children?: ReactNode;
  /** The verb, such as 'Deactivate'. */
  confirmLabel: string;
  cancelLabel?: string;
  /** `danger` for an action that cannot be undone right away. */
  tone?: 'primary' | 'danger';
  busy?: boolean;
}

/** Asks before an action; the focus starts on the cancel button. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, onClose, title, tone = 'danger', busy = false } = props;
  const cancel = useRef<HTMLButtonElement>(null);
  return (
    <AlertDialog.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop
          forceRender
          className="fixed inset-0 bg-backdrop transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0"
        />
        <AlertDialog.Viewport className="fixed inset-0 grid place-items-center p-4">
          <AlertDialog.Popup
            initialFocus={cancel}
            className="w-full max-w-[400px] rounded-dialog border border-line bg-surface p-5 text-ink shadow-float transition-[opacity,translate] data-ending-style:opacity-0 data-starting-style:translate-y-1 data-starting-style:opacity-0"
          >
            <AlertDialog.Title className="font-serif text-[1.125rem]/6 font-strong">
              {title}
            </AlertDialog.Title>
            {props.children !== undefined && (
              <AlertDialog.Description className="mt-2 text-ink-2">
                {props.children}
              </AlertDialog.Description>
            )}
            <div className="mt-5 flex justify-end gap-2">
              <AlertDialog.Close render={<Button ref={cancel} />}>
                {props.cancelLabel ?? 'Cancel'}
              </AlertDialog.Close>
              <Button variant={tone} busy={busy} onClick={props.onConfirm}>
                {props.confirmLabel}
              </Button>
            </div>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
