import { Dialog } from '@base-ui/react/dialog';
import Search from 'lucide-react/icons/search';
import X from 'lucide-react/icons/x';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { Kbd } from '../ui/Kbd.tsx';
import { PaletteList } from './PaletteList.tsx';
import { usePaletteFinds } from './use-palette-finds.ts';

/** Finds pages, cases and people; works with the keyboard alone. */
export function Palette({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [wanted, setWanted] = useState(0);
  const { groups, status } = usePaletteFinds(text);
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  const finds = groups.flatMap((group) => group.finds);
  const active = Math.min(wanted, finds.length - 1);
  const go = (to: string | undefined) => {
    if (to === undefined) return;
    onClose();
    void navigate(to);
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter') go(finds[active]?.to);
    else if (step !== undefined && finds.length > 0)
      setWanted((active + step + finds.length) % finds.length);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 animate-appear bg-backdrop" />
        <Dialog.Popup
          initialFocus={input}
          className="fixed inset-x-3 top-3 mx-auto flex max-h-[calc(100dvh-1.5rem)] max-w-[35rem] animate-appear flex-col overflow-hidden rounded-pop border border-line-strong bg-surface text-ink shadow-float sm:top-[12vh] sm:max-h-[70vh]"
        >
          <Dialog.Title className="sr-only">Find anything</Dialog.Title>
          <div className="flex items-center gap-3 border-b border-line px-4 text-ink-3">
            <Search />
            <input
              ref={input}
              type="text"
              role="combobox"
              aria-label="Find anything"
              placeholder="Pages, cases, people"
              aria-autocomplete="list"
              aria-expanded={finds.length > 0}
              aria-controls={listId}
              aria-activedescendant={active < 0 ? undefined : `${listId}-${active}`}
              autoComplete="off"
              spellCheck={false}
              maxLength={200}
              value={text}
              onChange={(event) => {
                setText(event.target.value);
                setWanted(0);
              }}
              onKeyDown={handleKeyDown}
              className="h-12 w-full min-w-0 bg-transparent text-heading text-ink outline-none"
            />
            <Dialog.Close
              aria-label="Close"
              className="grid min-h-6 min-w-6 flex-none place-items-center rounded-small pointer-coarse:min-h-11 pointer-coarse:min-w-11"
            >
              <span aria-hidden="true" className="pointer-coarse:hidden">
                <Kbd>Esc</Kbd>
              </span>
              <X className="hidden pointer-coarse:block" />
            </Dialog.Close>
          </div>
          <PaletteList
            id={listId}
            groups={groups}
            active={active}
            onActive={setWanted}
            onPick={(find) => go(find.to)}
          />
          <p role="status" className="px-4 py-2.5 text-sm text-ink-3 empty:hidden">
            {status}
          </p>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
