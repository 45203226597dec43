import { type KeyboardEvent, type Ref, useId, useRef, useState } from 'react';
import { useAnchorName } from '../../../ui/anchor-name.ts';
import { type Option, useActiveOption } from '../../../ui/option.ts';
import { OptionList, optionElementId } from '../../../ui/OptionList.tsx';
import { Popup } from '../../../ui/Popup.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { splitLast, suggested } from '../rules.addresses.ts';
import { useCorrespondents } from './use-correspondents.ts';

interface AddressInputProps {
  value: string;
  onChange: (text: string) => void;
  /** Accepts several addresses, separated by commas. */
  isList?: boolean;
  placeholder?: string;
  ref?: Ref<HTMLInputElement> | undefined;
}

/** An input for addresses that suggests known people, but adds them only when chosen. */
export function AddressInput({ value, onChange, isList, placeholder, ref }: AddressInputProps) {
  const readKnown = useCorrespondents();
  const [found, setFound] = useState<readonly Option[]>([]);
  const { active, setActive, move } = useActiveOption(found.length);
  const anchor = useRef<HTMLDivElement>(null);
  const anchorName = useAnchorName();
  const listId = useId();
  const close = () => setFound([]);
  const handleChange = (text: string) => {
    const typed = isList ? splitLast(text).last : text.trim();
    onChange(text);
    setFound(suggested(typed, readKnown()).map(toOption));
    setActive(-1);
  };
  const pick = ({ id: email }: Option) => {
    const { before } = splitLast(value);
    onChange(isList ? `${before}${before === '' ? '' : ' '}${email}, ` : email);
    close();
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    const option = found[active];
    if (found.length === 0) return;
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && option) pick(option);
    else if (!move(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const combobox = {
    role: 'combobox',
    'aria-expanded': true,
    'aria-controls': listId,
    'aria-activedescendant': active < 0 ? undefined : optionElementId(listId, active),
  };
  return (
    <div ref={anchor} style={{ anchorName }}>
      <TextInput
        ref={ref}
        inputMode="email"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        aria-autocomplete="list"
        {...(found.length > 0 && combobox)}
        placeholder={placeholder}
        value={value}
        onChange={(event) => handleChange(event.target.value)}
        onKeyDown={handleKeyDown}
      />
      {found.length > 0 && (
        <Popup
          anchor={anchor}
          anchorName={anchorName}
          onDismiss={close}
          className="w-[anchor-size(inline)]"
        >
          <OptionList
            id={listId}
            label="Suggestions"
            options={found}
            chosenIds={[]}
            activeIndex={active}
            onActive={setActive}
            onPick={pick}
          />
        </Popup>
      )}
    </div>
  );
}

function toOption({ name, email }: { name: string; email: string }): Option {
  return name === '' || name === email
    ? { id: email, label: email }
    : { id: email, label: name, note: email };
}
