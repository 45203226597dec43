import { type ComponentProps, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { cx } from './cx.ts';

interface PopupProps extends ComponentProps<'div'> {
  /** The element it hangs on; it must carry the same anchor name (see `useAnchorName`). */
  anchor: RefObject<HTMLElement | null>;
  anchorName: string;
  /** Asked for by Escape, by a press outside, and when the focus has gone elsewhere. */
  onDismiss: (reason: 'escape' | 'outside') => void;
}

/**
 * A surface above everything, placed by the browser under (or over) its anchor. It stays where it is
 * in the document, so what a dialog opens belongs to the dialog. Render it only while it is open.
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
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it hears Escape for what stands in it
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
