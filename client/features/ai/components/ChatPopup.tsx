import ArrowUp from 'lucide-react/icons/arrow-up';
import Files from 'lucide-react/icons/files';
import Maximize2 from 'lucide-react/icons/maximize-2';
import Minimize2 from 'lucide-react/icons/minimize-2';
import Minus from 'lucide-react/icons/minus';
import Sparkles from 'lucide-react/icons/sparkles';
import X from 'lucide-react/icons/x';
import { type KeyboardEvent, useEffect, useId, useRef, useState, useMemo, type Ref } from 'react';
import type { Citation } from '@matterdesk/contract/ai.ts';
import { saveToTab, readFromTab } from '../../../core/tab-storage.ts';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { Combobox } from '../../../ui/Combobox.tsx';
import { cx } from '../../../ui/cx.ts';
import { TextArea } from '../../../ui/TextArea.tsx';
import { type ChatSubject, useConversation } from '../hooks/use-conversation.ts';
import { samplesFor } from '../rules.samples.ts';
import {
  type ChatMessage,
  isAmong,
  type TrainedFolder,
  type FileScope,
  scopeOptions,
  withinOf,
} from '../rules.ts';
import { MessageList, NewerVersions } from './MessageList.tsx';

interface ChatPopupProps {
  /** Fixed per instance: another subject needs another key. */
  subject: ChatSubject;
  isTrained: boolean;
  /** Parts of the case to which a question can be limited. */
  places: readonly TrainedFolder[];
  /** Whether a cited file has a newer version than the quoted one. */
  hasNewer: (citation: Citation) => boolean;
  onClose: () => void;
  onCitation: (citation: Citation) => void;
}

/** A chat at the lower right that leaves the page usable. */
export function ChatPopup(props: ChatPopupProps) {
  const { subject, isTrained, places, hasNewer, onClose, onCitation } = props;
  const titleId = useId();
  const [isSmall, setIsSmall] = useState(false);
  const [isWide, setIsWide] = useState(false);
  const { input, returnFocus } = useFocus();
  const [within, setWithin] = useWithin(subject.caseId, places);
  const { messages, draft, send, again, add, stop } = useConversation(subject, isTrained);
  const isOfCase = subject.folder === undefined;
  const close = () => {
    onClose();
    returnFocus();
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.stopPropagation();
    close();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles Escape for its content
    <div
      role="dialog"
      aria-labelledby={titleId}
      data-chat={isWide && !isSmall ? 'wide' : 'narrow'}
      onKeyDown={handleKey}
      className={cx(
        'fixed z-30 flex animate-appear flex-col overflow-hidden border-line-strong bg-surface shadow-float',
        // Half of the screen, without a strip of the page around it.
        isWide && !isSmall
          ? 'inset-y-0 right-0 w-[50vw] min-w-80 border-l'
          : 'right-4 bottom-4 w-80 max-w-[calc(100vw-2rem)] rounded-pop border max-sm:bottom-[4.5rem] sm:right-6',
        !isSmall && !isWide && 'h-[min(40rem,calc(100dvh-6rem))]',
      )}
    >
      <div className="flex h-11 flex-none items-center gap-1 border-b border-line pr-1.5 pl-3">
        <Sparkles className="mr-1 text-accent" />
        <h2 className="flex min-w-0 flex-1 font-semibold">
          <span id={titleId} className="flex-none">
            AI Chat
          </span>
          <bdi className="ml-1.5 min-w-0 truncate font-normal text-ink-2">
            · {subject.name ?? subject.folder ?? 'all files'}
          </bdi>
        </h2>
        {!isSmall && (
          <IconButton
            label={isWide ? 'Make narrower' : 'Make wider'}
            icon={isWide ? Minimize2 : Maximize2}
            variant="quiet"
            size="small"
            className="max-sm:hidden"
            onClick={() => setIsWide(!isWide)}
          />
        )}
        <IconButton
          label={isSmall ? 'Restore chat' : 'Minimize chat'}
          icon={isSmall ? Maximize2 : Minus}
          variant="quiet"
          size="small"
          aria-expanded={!isSmall}
          onClick={() => setIsSmall(!isSmall)}
        />
        <IconButton label="Close chat" icon={X} variant="quiet" size="small" onClick={close} />
      </div>
      <div hidden={isSmall} className={cx('min-h-0 flex-1 flex-col', !isSmall && 'flex')}>
        {isOfCase && places.length > 0 && (
          <PlacePicker places={places} within={within} onChange={setWithin} />
        )}
        <NewerVersions value={hasNewer}>
          <MessageList
            messages={messages}
            samples={isTrained ? samplesFor(subject) : []}
            onSample={(text) => {
              input.current?.focus();
              send(text, isOfCase ? within : undefined);
            }}
            draft={draft}
            isNamed={subject.name === undefined}
            // The pressed button is removed, so the focus moves to the input.
            onAgain={(failed: ChatMessage) => {
              input.current?.focus();
              again(failed);
            }}
            onStop={() => {
              input.current?.focus();
              stop();
            }}
            onCitation={onCitation}
            onAdd={add}
          />
        </NewerVersions>
        <ChatForm
          ref={input}
          placeholder={subject.name === undefined ? 'Ask about this case' : 'Ask about this file'}
          isBusy={draft !== null}
          onSend={(text) => send(text, isOfCase ? within : undefined)}
        />
      </div>
    </div>
  );
}

/** Focuses the input on opening, and returns the focus on closing. */
function useFocus() {
  const input = useRef<HTMLTextAreaElement>(null);
  const [opener] = useState(() => document.activeElement);
  useEffect(() => input.current?.focus({ preventScroll: true }), []);
  const returnFocus = () => {
    if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    else document.getElementById('main')?.focus();
  };
  return { input, returnFocus };
}

/** The part of the case to search, which survives a reload unless it was deleted. */
function useWithin(caseId: string, places: readonly TrainedFolder[]) {
  const key = `chat-within-${caseId}`;
  const [within, setWithin] = useState(
    () => (readFromTab(key) ?? undefined) as FileScope | undefined,
  );
  const change = (next: FileScope | undefined) => {
    saveToTab(key, next ?? null);
    setWithin(next);
  };
  return [within && isAmong(places, within) ? within : undefined, change] as const;
}

interface PlacePickerProps {
  places: readonly TrainedFolder[];
  within: FileScope | undefined;
  onChange: (within: FileScope | undefined) => void;
}

/** Limits a question to one folder or file of the case. */
function PlacePicker({ places, within, onChange }: PlacePickerProps) {
  const options = useMemo(() => scopeOptions(places), [places]);
  const chosen = options.find((option) => isSame(withinOf(option), within)) ?? null;
  return (
    <div className="flex-none border-b border-line px-2.5 py-2">
      <Combobox
        aria-label="Where to look"
        icon={Files}
        placeholder="All trained files"
        options={options}
        value={chosen}
        onChange={(option) => onChange(option ? withinOf(option) : undefined)}
      />
    </div>
  );
}

function isSame(place: FileScope, other: FileScope | undefined): boolean {
  return place.folder === other?.folder && place.name === other.name;
}

interface ChatFormProps {
  ref: Ref<HTMLTextAreaElement>;
  placeholder: string;
  isBusy: boolean;
  /** Returns whether the question was accepted. */
  onSend: (text: string) => boolean;
}

/** The input of a question: Enter sends, Shift+Enter starts a new line. */
function ChatForm({ ref, placeholder, isBusy, onSend }: ChatFormProps) {
  const [text, setText] = useState('');
  const send = () => {
    if (onSend(text)) setText('');
  };
  const handleKey = (event: KeyboardEvent) => {
    // During IME composition, Enter confirms the word.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      noValidate
      className="flex flex-none items-end gap-2 border-t border-line p-2.5"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <TextArea
        ref={ref}
        aria-label="Message"
        placeholder={placeholder}
        autoComplete="off"
        enterKeyHint="send"
        maxLength={2000}
        rows={1}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={handleKey}
        className="field-sizing-content max-h-36 min-h-9 flex-1 resize-none! pointer-coarse:min-h-11"
      />
      <Button
        type="submit"
        variant="primary"
        busy={isBusy}
        aria-label="Send"
        icon={ArrowUp}
        className="h-9 w-9 px-0! pointer-coarse:w-11"
      />
    </form>
  );
}
