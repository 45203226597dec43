import {
  type ComponentProps,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useId,
} from 'react';
import { cx } from './cx.ts';

interface PopupProps extends ComponentProps<'div'> {
  /** The element it is placed at, which must have the same anchor name (see `useAnchorName`). */
  anchor: RefObject<HTMLElement | null>;
  anchorName: string;
  /** Called on Escape, on a press outside, and when the focus moves outside. */
  onDismiss: (reason: 'escape' | 'outside') => void;
}

/**
 * A surface in the top layer, placed by the browser below or above its anchor. It keeps its place in the
 * document, so that a popup of a dialog belongs to the dialog. Render it only while it is open.
 */
export function Popup({ anchor, anchorName, onDismiss, className, style, ...rest }: PopupProps) {
  const popup = useRef<HTMLDivElement>(null);
  const dismiss = useRef(onDismiss);
  useLayoutEffect(() => {
    dismiss.current = onDismiss;
  });
  useLayoutEffect(() => popup.current?.showPopover(), []);
  useEffect(() => {
    const isOutside = (target: EventTarget | null) =>
      target instanceof Node &&
      popup.current?.contains(target) === false &&
      anchor.current?.contains(target) === false;
    const handleOutside = (event: Event) => {
      if (isOutside(event.target)) dismiss.current('outside');
    };
    document.addEventListener('pointerdown', handleOutside, true);
    document.addEventListener('focusin', handleOutside, true);
    return () => {
      document.removeEventListener('pointerdown', handleOutside, true);
      document.removeEventListener('focusin', handleOutside, true);
    };
  }, [anchor]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it handles Escape for its content
    <div
      {...rest}
      ref={popup}
      popover="manual"
      onKeyDown={(event) => {
        rest.onKeyDown?.(event);
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        dismiss.current('escape');
      }}
      style={{ ...style, positionAnchor: anchorName }}
      className={cx('popup', className)}
    />
  );
}

/** A CSS name that links a popup (`positionAnchor`) to its anchor (`anchorName`). */
export function useAnchorName(): string {
  return `--anchor-${useId().replace(/\W/g, '')}`;
}
