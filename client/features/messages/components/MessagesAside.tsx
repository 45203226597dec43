import PanelRight from 'lucide-react/icons/panel-right';
import X from 'lucide-react/icons/x';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { cx } from '../../../ui/cx.ts';
import { IconButton } from '../../../ui/IconButton.tsx';

interface AsideToggleProps {
  ref: RefObject<HTMLButtonElement | null>;
  isOpen: boolean;
  onToggle: () => void;
}

const NAME = 'Files and today';

/** Toggles the right column on screens too narrow to show it always. */
export function AsideToggle({ ref, isOpen, onToggle }: AsideToggleProps) {
  return (
    <IconButton
      ref={ref}
      label={NAME}
      icon={PanelRight}
      variant="quiet"
      aria-expanded={isOpen}
      onClick={onToggle}
      className="xl:hidden"
    />
  );
}

interface MessagesAsideProps {
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** The right column; on narrow screens it covers the page while open. */
export function MessagesAside({ isOpen, onClose, children }: MessagesAsideProps) {
  const column = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isOpen) column.current?.querySelector('button')?.focus();
  }, [isOpen]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it handles Escape for its content
    <aside
      ref={column}
      aria-label={NAME}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && isOpen && !event.defaultPrevented) onClose();
      }}
      className={cx(
        'w-66 flex-none overflow-y-auto border-l border-line px-5 py-5',
        isOpen
          ? 'z-10 max-xl:absolute max-xl:inset-y-0 max-xl:right-0 max-xl:w-80 max-xl:animate-appear max-xl:bg-paper max-xl:shadow-float max-sm:w-full max-sm:border-0'
          : 'max-xl:hidden',
      )}
    >
      <div className="mb-3 flex items-center justify-between xl:hidden">
        <p className="font-serif text-subtitle font-strong">{NAME}</p>
        <IconButton label={`Close ${NAME}`} icon={X} variant="quiet" onClick={onClose} />
      </div>
      {children}
    </aside>
  );
}
