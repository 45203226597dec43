import ChevronsUpDown from 'lucide-react/icons/chevrons-up-down';
import { type KeyboardEvent, type Ref, useId, useImperativeHandle, useRef, useState } from 'react';
import { searchWords } from '@matterdesk/contract/search.ts';
import { Chip } from './Chip.tsx';
import { cx } from './cx.ts';
import { CONTROL_CLASS, useFieldControl } from './Field.tsx';
import { matchingOptions, type Option, OPTION_LIMIT, useActiveOption } from './option.ts';
import { OptionList, optionElementId, OptionStatus } from './OptionList.tsx';
import { useAnchorName, Popup } from './Popup.tsx';
import { useEarlyEnter } from './use-early-enter.ts';

interface MultiSelectProps {
  options: readonly Option[];
  /** The ids of the chosen options, in the order in which they were chosen. */
  value: readonly string[];
  onChange: (ids: string[]) => void;
  placeholder?: string;
  loading?: boolean;
  id?: string;
  onBlur?: () => void;
  /** Lets a form focus it when validation fails. */
  ref?: Ref<{ focus: () => void }>;
}

/** Chooses several options: each pick adds or removes an option, and typing filters. */
export function MultiSelect({ ref, ...props }: MultiSelectProps) {
  const { options, value, onChange, placeholder = 'Select Options', loading = false } = props;
  const [isOpen, setIsOpen] = useState(false);
  const [text, setText] = useState('');
  const box = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const anchorName = useAnchorName();
  const listId = useId();
  const control = useFieldControl(props);
  const found = matchingOptions(options, text);
  const shown = found.slice(0, OPTION_LIMIT);
  const chosen = value.flatMap((id) => options.find((option) => option.id === id) ?? []);
  const { active, setActive, move } = useActiveOption(shown.length);
  useImperativeHandle(ref, () => ({ focus: () => input.current?.focus() }), []);

  const close = () => {
    setEntered(null);
    setIsOpen(false);
    setText('');
    props.onBlur?.();
  };
  const toggle = (id: string | undefined) => {
    if (id === undefined) return;
    onChange(value.includes(id) ? value.filter((chosenId) => chosenId !== id) : [...value, id]);
    setText('');
    input.current?.focus();
  };
  const isWaiting = loading && shown.length === 0;
  const setEntered = useEarlyEnter<true>(isWaiting, () => toggle(shown[0]?.id));
  const handleKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    if (key === 'Backspace' && text === '') return toggle(value.at(-1));
    if (key === 'Escape' && isOpen) close();
    else if (key === 'Enter' && isOpen && isWaiting) setEntered(text.trim() === '' ? null : true);
    else if (key === 'Enter' && isOpen) toggle(shown[active]?.id);
    else if ((key === 'ArrowDown' || key === 'Enter') && !isOpen) setIsOpen(true);
    else if (!isOpen || !move(key)) return;
    // Escape closes only the list, not the dialog around it.
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- a click next to the input focuses it */}
      <div
        ref={box}
        style={{ anchorName }}
        onClick={() => input.current?.focus()}
        className={cx(
          CONTROL_CLASS,
          'flex w-full min-h-9 cursor-text flex-wrap items-center gap-1 py-[5px] pr-9 has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-offset-2 has-[input:focus-visible]:outline-accent pointer-coarse:min-h-11',
          'relative has-[input[aria-invalid]]:border-red',
        )}
      >
        {chosen.map(({ id, label }) => (
          <Chip key={id} onRemove={() => toggle(id)} removeLabel={`Remove ${label}`}>
            {label}
          </Chip>
        ))}
        <input
          {...control}
          ref={input}
          type="text"
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={isOpen ? listId : undefined}
          aria-activedescendant={
            isOpen && active >= 0 ? optionElementId(listId, active) : undefined
          }
          autoComplete="off"
          placeholder={value.length === 0 ? placeholder : undefined}
          value={text}
          onClick={() => setIsOpen(true)}
          onChange={(event) => {
            setEntered(null);
            setText(event.target.value);
            setActive(0);
            setIsOpen(true);
          }}
          onKeyDown={handleKeyDown}
          className="h-6 min-w-4 grow basis-0 field-sizing-content bg-transparent outline-none"
        />
        <ChevronsUpDown className="pointer-events-none absolute top-[9px] right-[11px] text-ink-2 pointer-coarse:top-[13px]" />
      </div>
      {isOpen && (
        <Popup
          anchor={box}
          anchorName={anchorName}
          onDismiss={close}
          className="w-[anchor-size(inline)] min-w-56"
        >
          <OptionList
            id={listId}
            label="Options"
            options={shown}
            words={searchWords(text)}
            chosenIds={value}
            activeIndex={active}
            onActive={setActive}
            onPick={({ id }) => toggle(id)}
            multiple
          />
          <OptionStatus found={found.length} loading={loading} />
        </Popup>
      )}
    </>
  );
}
