import { type KeyboardEvent, type Ref, useId, useImperativeHandle, useRef, useState } from 'react';
import { useAnchorName } from '../../../ui/anchor-name.ts';
import { Chip } from '../../../ui/Chip.tsx';
import { CONTROL_CLASS } from '../../../ui/control-class.ts';
import { cx } from '../../../ui/cx.ts';
import { useFieldControl } from '../../../ui/field-context.ts';
import { type Option, useActiveOption } from '../../../ui/option.ts';
import { OptionList, optionElementId } from '../../../ui/OptionList.tsx';
import { Popup } from '../../../ui/Popup.tsx';
import {
  endTyping,
  isAddress,
  listRecipients,
  parseRecipients,
  type Recipients,
  suggested,
  typeRecipient,
} from '../rules.addresses.ts';
import { useCorrespondents } from './use-correspondents.ts';

interface AddressInputProps {
  /** Addresses separated by commas. */
  value: string;
  onChange: (text: string) => void;
  /** Takes all but the first; without it there may be several. */
  onMore?: (addresses: string[]) => void;
  placeholder?: string;
  ref?: Ref<HTMLInputElement> | undefined;
}

/** Recipients as chips, and an input that suggests known people, but adds them only when chosen. */
export function AddressInput({ placeholder, ref, ...list }: AddressInputProps) {
  const readKnown = useCorrespondents();
  const { recipients, change } = useRecipients(list);
  const { chosen, typed } = recipients;
  const [found, setFound] = useState<readonly Option[]>([]);
  const { active, setActive, move } = useActiveOption(found.length);
  const box = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  useImperativeHandle(ref, () => input.current as HTMLInputElement, []);
  const anchorName = useAnchorName();
  const listId = useId();
  const control = useFieldControl({});
  const close = () => setFound([]);
  const handleChange = (text: string) => {
    const next = typeRecipient(chosen, text);
    change(next);
    setFound(suggested(next.typed, readKnown()).map(toOption));
    setActive(-1);
  };
  const pick = ({ id: email }: Option) => {
    change({ chosen: [...chosen, email], typed: '' });
    close();
    input.current?.focus();
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    const option = found[active];
    if (key === 'Backspace' && typed === '' && chosen.length > 0) {
      change({ chosen: chosen.slice(0, -1), typed: chosen.at(-1) ?? '' });
    } else if (key === 'Enter' && option) pick(option);
    else if (key === 'Enter' && typed !== '' && !event.ctrlKey && !event.metaKey) {
      change(endTyping(recipients));
      close();
    } else if (key === 'Escape' && found.length > 0) close();
    else if (found.length === 0 || !move(key)) return;
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
    <>
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- a click next to the input focuses it */}
      <div
        ref={box}
        style={{ anchorName }}
        onClick={(event) => event.target === box.current && input.current?.focus()}
        className={cx(
          CONTROL_CLASS,
          'flex min-h-9 w-full cursor-text flex-wrap items-center gap-1 px-2! py-[5px] has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-offset-2 has-[input:focus-visible]:outline-accent has-[input[aria-invalid]]:border-red pointer-coarse:min-h-11',
        )}
      >
        {chosen.map((address, at) => (
          <Chip
            // oxlint-disable-next-line react/no-array-index-key -- an address may be there twice
            key={`${address} ${at}`}
            tone={isAddress(address) ? 'neutral' : 'red'}
            removeLabel={`Remove ${address}`}
            onRemove={() => {
              change({ chosen: chosen.toSpliced(at, 1), typed });
              input.current?.focus();
            }}
          >
            {address}
          </Chip>
        ))}
        <input
          {...control}
          ref={input}
          inputMode="email"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          aria-autocomplete="list"
          {...(found.length > 0 && combobox)}
          placeholder={chosen.length === 0 ? placeholder : undefined}
          value={typed}
          onChange={(event) => handleChange(event.target.value)}
          onKeyDown={handleKeyDown}
          onBlur={() => change(endTyping(recipients))}
          className="h-6 min-w-20 grow basis-0 bg-transparent outline-none"
        />
      </div>
      {found.length > 0 && (
        <Popup
          anchor={box}
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
    </>
  );
}

/** What the list holds, and what is typed after it, which the list alone does not tell apart. */
function useRecipients({ value, onChange, onMore }: AddressInputProps) {
  const [latest, setLatest] = useState(() => parseRecipients(value));
  const recipients = listRecipients(latest) === value ? latest : parseRecipients(value);
  const change = ({ chosen, typed }: Recipients) => {
    const next = { chosen: onMore ? chosen.slice(0, 1) : chosen, typed };
    setLatest(next);
    const text = listRecipients(next);
    if (text !== value) onChange(text);
    if (onMore && chosen.length > 1) onMore(chosen.slice(1));
  };
  return { recipients, change };
}

function toOption({ name, email }: { name: string; email: string }): Option {
  return name === '' || name === email
    ? { id: email, label: email }
    : { id: email, label: name, note: email };
}
