import type { LucideIcon } from 'lucide-react';
import ChevronsUpDown from 'lucide-react/icons/chevrons-up-down';
import Search from 'lucide-react/icons/search';
import {
  type KeyboardEvent,
  type Ref,
  useId,
  useImperativeHandle,
  useRef,
  useState,
  type RefObject,
  useEffect,
  useLayoutEffect,
} from 'react';
import { searchWords } from '@matterdesk/contract/search.ts';
import { cx } from './cx.ts';
import { CONTROL_LINE_CLASS, useFieldControl } from './Field.tsx';
import { matchingOptions, type Option, OPTION_LIMIT, useActiveOption } from './option.ts';
import { OptionList, optionElementId, OptionStatus } from './OptionList.tsx';
import { useAnchorName, Popup } from './Popup.tsx';
import { useEarlyEnter } from './use-early-enter.ts';

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
    } else if (isLetter(event)) {
      // The search field has the focus before the letter arrives; no shortcut of the page is meant.
      event.stopPropagation();
      setIsOpen(true);
    }
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
        {value?.number !== undefined && (
          <span className="max-w-[40%] flex-none truncate text-note text-ink-3 tabular-nums">
            {value.number}
          </span>
        )}
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

/** The options and the chosen option. */
interface Choice {
  value: Option | null;
  onChange: (option: Option | null) => void;
  options: readonly Option[];
  /** Shown while nothing is chosen; also the first option, which clears the choice. */
  placeholder: string;
  /** If given, the options are the results for the typed text (first for '', on opening); otherwise they are filtered here. */
  onSearch?: (text: string) => void;
  loading?: boolean;
  /** Why the options could not be loaded. */
  failure?: string | undefined;
}

interface ComboboxPopupProps extends Choice {
  id: string;
  anchor: RefObject<HTMLElement | null>;
  anchorName: string;
  onClose: (withFocus: boolean) => void;
}

/** The open part of a Combobox: a search field over its options. */
function ComboboxPopup(props: ComboboxPopupProps) {
  const { id, anchor, anchorName, value, options, placeholder, onSearch, onChange, onClose } =
    props;
  const [text, setText] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  const found = onSearch === undefined ? matchingOptions(options, text) : options;
  const none: Option = { id: '', label: placeholder };
  const shown = [...(text === '' ? [none] : []), ...found.slice(0, OPTION_LIMIT)];
  // Options of an earlier text are shown until the next arrive, but only these can be highlighted, and chosen by Enter.
  const isCurrent = props.loading !== true;
  const { active, setActive, move } = useActiveOption(isCurrent ? shown.length : 0);
  useLayoutEffect(() => input.current?.focus(), []);
  const search = useRef(onSearch);
  useEffect(() => search.current?.(''), []);
  const pick = (option: Option | undefined) => {
    if (option === undefined) return;
    onClose(true);
    onChange(option.id === '' ? null : option);
  };
  const setEntered = useEarlyEnter<true>(!isCurrent, () => pick(found[0]));
  const handleKeyDown = (event: KeyboardEvent) => {
    // Keys meant for the list must not trigger the page's own shortcuts.
    if (event.key !== 'Escape') event.stopPropagation();
    if (event.key === 'Enter' && isCurrent) pick(shown[active]);
    else if (event.key === 'Enter') setEntered(text.trim() === '' ? null : true);
    else if (!move(event.key)) return;
    event.preventDefault();
  };
  return (
    <Popup
      id={id}
      role="dialog"
      aria-label="Search"
      anchor={anchor}
      anchorName={anchorName}
      onDismiss={(reason) => onClose(reason === 'escape')}
      className="w-[anchor-size(inline)] min-w-64 sm:min-w-96"
    >
      <div className="flex items-center gap-2 border-b border-line px-3 text-ink-3">
        <Search />
        <input
          ref={input}
          type="text"
          role="combobox"
          aria-label="Search"
          placeholder="Search"
          aria-autocomplete="list"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={active < 0 ? undefined : optionElementId(listId, active)}
          autoComplete="off"
          value={text}
          onChange={(event) => {
            setEntered(null);
            setText(event.target.value);
            setActive(0);
            onSearch?.(event.target.value);
          }}
          onKeyDown={handleKeyDown}
          className="h-9 w-full min-w-0 bg-transparent text-ink outline-none pointer-coarse:h-11 pointer-coarse:text-heading"
        />
      </div>
      <OptionList
        id={listId}
        label="Options"
        options={shown}
        words={searchWords(text)}
        chosenIds={[value?.id ?? '']}
        activeIndex={active}
        onActive={setActive}
        onPick={pick}
      />
      <OptionStatus found={found.length} loading={props.loading ?? false} failure={props.failure} />
    </Popup>
  );
}
