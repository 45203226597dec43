import { Dialog as Base } from '@base-ui/react/dialog';
import X from 'lucide-react/icons/x';
import { type ReactNode, type SubmitEvent, useCallback, useRef, useState } from 'react';
import { IconButton, Button } from './Button.tsx';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import { cx } from './cx.ts';
import { firstControl } from './focus.ts';
import { ProgressBar } from './ProgressBar.tsx';

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  subtitle?: string;
  /** Beside the title, such as a switch for the whole form. */
  aside?: ReactNode;
  /** `panes` fills the screen but for a margin, and leaves the scrolling to its panes. */
  size?: 'small' | 'medium' | 'large' | 'wide' | 'panes';
  /** The current step of several, as a progress bar under the title. */
  step?: { at: number; of: number };
  /** Buttons; a `DialogClose` among them asks before discarding changes, as Escape does. */
  footer?: ReactNode;
  /** Whether closing would lose unsaved changes; if so, it asks first. */
  isDirty?: boolean;
  /** If given, the whole dialog is a form, so that the footer's submit button belongs to it. */
  onSubmit?: (event: SubmitEvent<HTMLFormElement>) => void;
  children: ReactNode;
}

const SIZES = {
  small: 'sm:w-[440px]',
  medium: 'sm:w-[560px]',
  large: 'sm:w-[680px]',
  wide: 'sm:w-[900px]',
  panes: 'lg:w-[1200px] lg:h-[800px]',
} as const;

/** A modal dialog, full screen on a phone. Load it lazily with the form in it. */
export function Dialog(props: DialogProps) {
  const { open, onClose, title, subtitle, size = 'medium', step, footer, onSubmit } = props;
  const [isAsking, setIsAsking] = useState(false);
  const body = useRef<HTMLDivElement>(null);
  const holdBody = useCallback((element: HTMLDivElement | null) => {
    body.current = element;
    return element === null ? undefined : holdFields(element);
  }, []);
  const requestClose = () => (props.isDirty === true ? setIsAsking(true) : onClose());
  const content = (
    <>
      <header className="flex items-start gap-4 px-4 pt-4 pb-3.5 sm:px-6 sm:pt-[18px]">
        <div className="min-w-0 grow">
          <Base.Title className="font-serif text-subtitle font-strong wrap-anywhere">
            {title}
          </Base.Title>
          {subtitle !== undefined && (
            <Base.Description className="text-sm text-ink-2">{subtitle}</Base.Description>
          )}
        </div>
        {props.aside}
        <Base.Close
          render={
            <IconButton label="Dismiss" icon={X} variant="quiet" size="small" className="-mr-1.5" />
          }
        />
      </header>
      {step === undefined ? (
        <hr className="border-line" />
      ) : (
        <ProgressBar label={`Step ${step.at} of ${step.of}`} value={step.at} max={step.of} />
      )}
      <div
        ref={holdBody}
        className={cx(
          'min-h-0 grow overflow-y-auto overscroll-contain',
          // Later than most replies arrive.
          'transition-opacity group-has-[[type=submit][aria-busy=true]]/dialog:opacity-60 group-has-[[type=submit][aria-busy=true]]/dialog:delay-300',
          size === 'panes' ? 'lg:overflow-hidden' : 'px-4 py-5 sm:px-6',
        )}
      >
        {props.children}
      </div>
      {footer !== undefined && (
        <footer className="flex items-center justify-between gap-3 border-t border-line px-4 py-3.5 sm:px-6">
          {footer}
        </footer>
      )}
    </>
  );
  const column = 'flex min-h-0 grow flex-col';
  return (
    <Base.Root open={open} onOpenChange={(isOpen) => !isOpen && requestClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 bg-backdrop transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Viewport className="fixed inset-0 grid place-items-stretch sm:place-items-center">
          <Base.Popup
            initialFocus={(openedBy) =>
              openedBy === 'touch' || (firstControl(body.current) ?? true)
            }
            className={cx(
              'flex max-h-dvh min-h-0 flex-col overflow-hidden bg-surface text-ink transition-[opacity,translate] data-ending-style:opacity-0 data-starting-style:translate-y-1 data-starting-style:opacity-0',
              'sm:max-h-[calc(100dvh-4rem)] sm:max-w-[calc(100vw-4rem)] sm:rounded-dialog sm:border sm:border-line sm:shadow-float',
              SIZES[size],
            )}
          >
            {onSubmit === undefined ? (
              <div className={column}>{content}</div>
            ) : (
              <form noValidate onSubmit={onSubmit} className={cx('group/dialog', column)}>
                {content}
              </form>
            )}
            <ConfirmDialog
              open={isAsking}
              title="Discard what you typed?"
              confirmLabel="Discard"
              cancelLabel="Keep editing"
              onClose={() => setIsAsking(false)}
              onConfirm={() => {
                setIsAsking(false);
                onClose();
              }}
            />
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}

/** A button in a Dialog's footer that closes it and, like Escape, asks before discarding changes. */
export function DialogClose({ children = 'Close' }: { children?: string }) {
  return <Base.Close render={<Button />}>{children}</Base.Close>;
}

/** The events by which a user changes a field; drops and pastes into rich texts are no `beforeinput`. */
const CHANGES = ['beforeinput', 'keydown', 'mousedown', 'click', 'paste', 'drop'];

/** Keys that change no field. */
const PASSING = new Set(['Tab', 'Escape']);

/** Controls that a press of the mouse alone changes, or opens. */
const PRESSED = 'select, input, label';

/**
 * Keeps the fields in an element as they were sent while the submit button of their form is busy: a change would be
 * lost with the reply. Unlike disabled fields, they keep the focus.
 * @returns the end of it
 */
function holdFields(element: HTMLElement): () => void {
  const handle = (event: Event) => {
    if (!isSaving(element) || isPassedOn(event)) return;
    event.stopPropagation();
    if (event.type !== 'mousedown' || isIn(event.target, PRESSED)) event.preventDefault();
  };
  for (const type of CHANGES) element.addEventListener(type, handle, true);
  return () => {
    for (const type of CHANGES) element.removeEventListener(type, handle, true);
  };
}

function isSaving(element: HTMLElement): boolean {
  return element.closest('form')?.querySelector('[type=submit][aria-busy=true]') != null;
}

function isPassedOn(event: Event): boolean {
  return event instanceof KeyboardEvent && PASSING.has(event.key);
}

function isIn(target: EventTarget | null, selector: string): boolean {
  return target instanceof Element && target.closest(selector) !== null;
}
