import type { LucideIcon } from 'lucide-react';
import ChevronsUpDown from 'lucide-react/icons/chevrons-up-down';
import { type KeyboardEvent, type Ref, useId, useImperativeHandle, useRef, useState } from 'react';
import { useAnchorName } from './anchor-name.ts';
import { type Choice, ComboboxPopup } from './ComboboxPopup.tsx';
import { CONTROL_LINE_CLASS } from './control-class.ts';
import { cx } from './cx.ts';
import { useFieldControl } from './field-context.ts';

interface ComboboxProps extends Choice {
  icon?: LucideIcon;
  id?: string;
  'aria-label'?: string;
  disabled?: boolean;
  onBlur?: () => void;
  /** Lets a form focus it when validation fails. */
  ref?: Ref<{ focus: () => void }>;
  /** Its width; as wide as its container by default. */
  className?: string;
}

/** Chooses one of many options, with a search field in its popup. */
export function Combobox({
  ref,
  className = 'w-full',
  'aria-label': ariaLabel,
  ...props
}: ComboboxProps) {
  const { value, placeholder, icon: Icon, disabled = false } = props;
  const [isOpen, setIsOpen] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  const anchorName = useAnchorName();
  const popupId = useId();
  const control = useFieldControl(props);
  useImperativeHandle(ref, () => ({ focus: () => trigger.current?.focus() }), []);
  const close = (withFocus: boolean) => {
    if (withFocus) trigger.current?.focus();
    setIsOpen(false);
    props.onBlur?.();
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setIsOpen(true);
    } else if (isLetter(event)) setIsOpen(true); // The search field has the focus before the letter arrives.
  };
  return (
    <>
      <button
        {...control}
        ref={trigger}
        type="button"
        role="combobox"
        aria-label={ariaLabel}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={isOpen ? popupId : undefined}
        disabled={disabled}
        style={{ anchorName }}
        onClick={() => setIsOpen(!isOpen)}
        onKeyDown={handleKeyDown}
        className={cx(CONTROL_LINE_CLASS, 'flex items-center gap-2 text-left', className)}
      >
        {Icon !== undefined && <Icon />}
        <span className={cx('min-w-0 grow truncate', value === null && 'text-ink-3')}>
          {value?.label ?? placeholder}
        </span>
        <ChevronsUpDown className="text-ink-2" />
      </button>
      {isOpen && (
        <ComboboxPopup
          {...props}
          id={popupId}
          anchor={trigger}
          anchorName={anchorName}
          onClose={close}
        />
      )}
    </>
  );
}

function isLetter(event: KeyboardEvent): boolean {
  const isShortcut = event.ctrlKey || event.metaKey || event.altKey;
  return event.key.length === 1 && event.key !== ' ' && !isShortcut;
}
