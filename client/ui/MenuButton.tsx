import type { LucideIcon } from 'lucide-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { useAnchorName } from './anchor-name.ts';
import type { ButtonSize, ButtonVariant } from './button-class.ts';
import { Button } from './Button.tsx';
import { IconButton } from './IconButton.tsx';
import { Menu, type MenuEntry } from './Menu.tsx';

interface MenuButtonProps {
  label: string;
  icon: LucideIcon;
  /** Shows the label next to the icon. */
  withLabel?: boolean;
  /** Shown instead of the label, which stays the name. */
  text?: string;
  variant?: ButtonVariant;
  size?: ButtonSize;
  heading?: string;
  entries: readonly MenuEntry[];
  tabIndex?: number;
  className?: string;
}

/** A button that opens a menu, which is rendered only while open, so that each card can afford a menu. */
export function MenuButton({
  label,
  icon,
  withLabel = false,
  text,
  variant,
  size,
  heading,
  entries,
  tabIndex,
  className,
}: MenuButtonProps) {
  const [opened, setOpened] = useState<'first' | 'last' | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const anchorName = useAnchorName();
  const menuId = useId();
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    event.stopPropagation();
    setOpened(event.key === 'ArrowDown' ? 'first' : 'last');
  };
  const shared = {
    ref: button,
    icon,
    variant: variant ?? 'default',
    size: size ?? 'medium',
    'aria-haspopup': 'menu',
    'aria-expanded': opened !== null,
    'aria-controls': opened === null ? undefined : menuId,
    style: { anchorName },
    tabIndex,
    onClick: () => setOpened(opened === null ? 'first' : null),
    onKeyDown: handleKeyDown,
    className: className ?? '',
  } as const;
  return (
    <>
      {withLabel || text !== undefined ? (
        <Button {...shared} aria-label={text === undefined ? undefined : label}>
          {text ?? label}
        </Button>
      ) : (
        <IconButton {...shared} label={label} />
      )}
      {opened !== null && (
        <Menu
          id={menuId}
          label={heading ?? label}
          heading={heading}
          entries={entries}
          anchor={button}
          anchorName={anchorName}
          startAt={opened}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );
}
