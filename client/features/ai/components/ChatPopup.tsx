import type { Citation } from '@matterdesk/contract/ai.ts';
import Maximize2 from 'lucide-react/icons/maximize-2';
import Minimize2 from 'lucide-react/icons/minimize-2';
import Minus from 'lucide-react/icons/minus';
import Sparkles from 'lucide-react/icons/sparkles';
import X from 'lucide-react/icons/x';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { cx } from '../../../ui/cx.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { ChatForm } from './ChatForm.tsx';
import { MessageList } from './MessageList.tsx';
import { type Asked, useConversation } from './use-conversation.ts';

interface ChatPopupProps {
  /** Give another key for another one. */
  asked: Asked;
  isTrained: boolean;
  onClose: () => void;
  onCitation: (citation: Citation) => void;
}

/** A chat at the lower right that leaves the page usable. */
export function ChatPopup({ asked, isTrained, onClose, onCitation }: ChatPopupProps) {
  const titleId = useId();
  const [isSmall, setIsSmall] = useState(false);
  const [isWide, setIsWide] = useState(false);
  const { input, returnFocus } = useFocus();
  const conversation = useConversation(asked, isTrained);
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
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it hears Escape for what stands in it
    <div
      role="dialog"
      aria-labelledby={titleId}
      data-chat={isWide && !isSmall ? 'wide' : 'narrow'}
      onKeyDown={handleKey}
      className={cx(
        'fixed right-4 bottom-4 z-30 max-sm:bottom-[4.5rem] flex max-w-[calc(100vw-2rem)] animate-appear flex-col overflow-hidden rounded-pop border border-line-strong bg-surface shadow-float sm:right-6',
        isWide && !isSmall ? 'w-[50vw] min-w-80' : 'w-80',
        !isSmall && (isWide ? 'h-[calc(100dvh-2rem)]' : 'h-[min(40rem,calc(100dvh-6rem))]'),
      )}
    >
      <div className="flex h-11 flex-none items-center gap-1 border-b border-line pr-1.5 pl-3">
        <Sparkles className="mr-1 text-accent" />
        <h2 className="flex min-w-0 flex-1 font-semibold">
          <span id={titleId} className="flex-none">
            AI Chat
          </span>
          <bdi className="ml-1.5 min-w-0 truncate font-normal text-ink-2">
            · {asked.name ?? asked.folder ?? 'all files'}
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
        <MessageList
          {...conversation}
          isNamed={asked.name === undefined}
          onAgain={conversation.again}
          onCitation={onCitation}
        />
        <ChatForm
          ref={input}
          placeholder={asked.name === undefined ? 'Ask about this case' : 'Ask about this file'}
          isBusy={conversation.isBusy}
          onSend={conversation.send}
        />
      </div>
    </div>
  );
}

/** The focus goes into the input, and back to where it came from. */
function useFocus() {
  const input = useRef<HTMLInputElement>(null);
  const [opener] = useState(() => document.activeElement);
  useEffect(() => input.current?.focus({ preventScroll: true }), []);
  const returnFocus = () => {
    if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    else document.getElementById('main')?.focus();
  };
  return { input, returnFocus };
}
