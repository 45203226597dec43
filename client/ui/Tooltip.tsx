import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { cx } from './cx.ts';
import { useAnchorName } from './Popup.tsx';

const TOOLTIP_DELAY_MS = 350;

interface TooltipProps {
  text: string;
  side?: 'top' | 'bottom' | 'right';
  /** A focusable element with an accessible name, which the tooltip only shows. */
  children: ReactNode;
  className?: string;
}

const SIDES = {
  top: '[position-area:block-start] mb-1.5',
  bottom: '[position-area:block-end] mt-1.5',
  right: '[position-area:inline-end] ml-1.5',
} as const;

/** Shows a text next to an element while it is hovered or has the keyboard focus. */
export function Tooltip({ text, side = 'top', children, className }: TooltipProps) {
  const [isShown, setIsShown] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const anchorName = useAnchorName();
  const hide = () => {
    clearTimeout(timer.current);
    setIsShown(false);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it handles the events of its child
    <span
      className={cx('inline-flex', className)}
      style={{ anchorName }}
      onPointerEnter={(event) => {
        if (event.pointerType === 'mouse')
          timer.current = setTimeout(setIsShown, TOOLTIP_DELAY_MS, true);
      }}
      onPointerLeave={hide}
      onPointerDown={hide}
      onFocus={(event) => event.target.matches(':focus-visible') && setIsShown(true)}
      onBlur={hide}
      onKeyDown={(event) => event.key === 'Escape' && hide()}
    >
      {children}
      {isShown && <TooltipText text={text} anchorName={anchorName} side={side} />}
    </span>
  );
}

function TooltipText(props: { text: string; anchorName: string; side: keyof typeof SIDES }) {
  const id = useId();
  return (
    <span
      ref={(element) => element?.showPopover()}
      id={id}
      role="tooltip"
      popover="manual"
      style={{ positionAnchor: props.anchorName }}
      className={cx(
        'pointer-events-none inset-auto m-0 max-w-64 animate-appear rounded-small bg-ink px-2 py-1 text-xs text-paper [position-try-fallbacks:flip-block,flip-inline]',
        SIDES[props.side],
      )}
    >
      {props.text}
    </span>
  );
}
