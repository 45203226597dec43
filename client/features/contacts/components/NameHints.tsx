import { useEffect, useId, useRef, useState } from 'react';
import { searchWords } from '@matterdesk/contract/search.ts';
import type { ContactHintsProps } from '../../../core/slots.ts';
import { OptionList } from '../../../ui/OptionList.tsx';
import { useAnchorName, Popup } from '../../../ui/Popup.tsx';
import { useContactSearch } from '../hooks/use-contact-search.ts';
import { contactOption } from '../rules.ts';

/** Letters from which contacts are offered, and how many. */
const MIN_TYPED = 2;
const MAX_HINTS = 6;

/** Existing contacts under a name that is being typed: arrows and Enter pick, Escape closes, typing on ignores them. */
export function NameHints({ name, input, isTyped = false, onPick }: ContactHintsProps) {
  const text = name.trim();
  const [typed, setTyped] = useState<string | null>(isTyped ? text : null);
  const isOpen = typed !== null && typed === text && text.length >= MIN_TYPED;
  const { contacts } = useContactSearch(isOpen ? text : null);
  const words = searchWords(text);
  const shown = isOpen ? contacts.slice(0, MAX_HINTS) : [];
  const anchorName = useAnchorName();
  const listId = useId();
  // An id, since the contacts of an earlier text stay until the answer to this one.
  const [wanted, setWanted] = useState<string | null>(null);
  const active = shown.findIndex(({ id }) => id === wanted);
  const pick = (id: string) => {
    const found = shown.find((contact) => contact.id === id);
    setTyped(null);
    setWanted(null);
    if (found) onPick(found);
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    if (shown.length === 0) return;
    const here = shown[active];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter' && wanted !== null) {
      if (here) pick(here.id);
    } else if (event.key === 'Escape') setTyped(null);
    else if (step !== undefined) setWanted(shown.at((active + step) % shown.length)?.id ?? null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const keys = useRef(handleKeyDown);
  useEffect(() => {
    keys.current = handleKeyDown;
  });
  useEffect(() => {
    const element = input.current;
    if (!element) return undefined;
    element.style.setProperty('anchor-name', anchorName);
    const handleInput = () => {
      setTyped(element.value.trim());
      setWanted(null);
    };
    const handleKey = (event: KeyboardEvent) => keys.current(event);
    const handleBlur = () => setTyped(null);
    element.addEventListener('input', handleInput);
    element.addEventListener('keydown', handleKey);
    element.addEventListener('blur', handleBlur);
    return () => {
      element.removeEventListener('input', handleInput);
      element.removeEventListener('keydown', handleKey);
      element.removeEventListener('blur', handleBlur);
    };
  }, [input, anchorName]);
  return (
    <>
      <span role="status" className="sr-only">
        {shown.length > 0 && `${shown.length} existing contacts: press the down arrow to choose`}
      </span>
      {shown.length > 0 && (
        <Popup
          anchor={input}
          anchorName={anchorName}
          onDismiss={() => setTyped(null)}
          className="w-[anchor-size(inline)] min-w-64"
        >
          <OptionList
            id={listId}
            label="Existing contacts"
            options={shown.map((contact) => contactOption(contact, words))}
            words={words}
            chosenIds={[]}
            activeIndex={active}
            onActive={(index) => setWanted(shown[index]?.id ?? null)}
            onPick={({ id }) => pick(id)}
          />
        </Popup>
      )}
    </>
  );
}
