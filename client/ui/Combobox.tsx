import type { LucideIcon } from 'lucide-react';
import ChevronsUpDown from 'lucide-react/icons/chevrons-up-down';
import { type KeyboardEvent, type Ref, useId, useImperativeHandle, useRef, useState } from 'react';
import { useAnchorName } from './anchor-name.ts';
import { ComboboxPopup } from './ComboboxPopup.tsx';
import { CONTROL_LINE_CLASS } from './control-class.ts';
import { cx } from './cx.ts';
import { useFieldControl } from './field-context.ts';
import type { Option } from './option.ts';

export interface ComboboxProps {
  value: Option | null;
  onChange: (option: Option | null) => void;
  options: readonly Option[];
  /** What it shows while nothing is chosen; also the first option, which chooses nothing again. */
  placeholder: string;
  /** With it the options are the answer to what was typed (first to '', on opening); else it filters them itself. */
  onSearch?: (text: string) => void;
  loading?: boolean;
  /** Why the options could not be loaded. */
  failure?: string | undefined;
  icon?: LucideIcon;
  id?: string;
  'aria-label'?: string;
  disabled?: boolean;
  onBlur?: () => void;
  /** Whoever validates may focus it. */
  ref?: Ref<{ focus: () => void }>;
  /** Its width, unless it shall be as wide as there is room. */
  className?: string;
}

/** One choice out of many, with a search field in its popup. */
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
