import type { Conversation as Contact } from '@matterdesk/contract/messages.ts';
import { type ReactNode, useCallback, useEffect, useMemo, useRef } from 'react';
import { useResource } from '../../../core/use-resource.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import type { Option } from '../../../ui/option.ts';
import { consentOf } from '../api.ts';
import { blockReasonOf } from '../rules.ts';
import { Composer } from './Composer.tsx';
import { ConversationHeader } from './ConversationHeader.tsx';
import { HistoryView } from './HistoryView.tsx';
import { useConversation } from './use-conversation.ts';

interface ConversationProps {
  contact: Contact;
  own: string;
  /** The case of the contact, once its name is known. */
  matter: Option | null;
  /** What an administrator must configure before texts can be sent, or null. */
  missingSetup: string | null;
  onBack: () => void;
  onExport: () => void;
  onForget: () => void;
}

/** The messages with a contact, and the input for more. */
export function Conversation({ contact, own, missingSetup, ...props }: ConversationProps) {
  const { phoneNumber } = contact;
  const pair = useMemo(() => ({ from: own, to: phoneNumber }), [own, phoneNumber]);
  const history = useConversation(pair);
  const box = useRef<HTMLDivElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The pressed control may be hidden now, so the title takes the focus unless the composer has it.
    if (!title.current?.closest('section')?.contains(document.activeElement))
      title.current?.focus({ preventScroll: true });
  }, []);
  const toEnd = useCallback(() => box.current?.scrollTo({ top: 0 }), []);
  const isEmpty = history.messages?.length === 0;
  const consent = useResource(consentOf, phoneNumber).data?.consent ?? null;
  const blockReason = missingSetup ?? blockReasonOf(contact, consent);
  return (
    <section aria-labelledby="conversation-title" className="flex h-full min-h-0 flex-col">
      <ConversationHeader
        title={title}
        contact={contact}
        consent={consent}
        isEmpty={isEmpty}
        {...props}
      />
      {history.hasFailed ? (
        <div className="grow">
          <ErrorState title="Message history fetch failed" onRetry={history.refresh} />
        </div>
      ) : (
        <HistoryView box={box} history={history} contact={contact} own={own} />
      )}
      <BlockReason>{blockReason}</BlockReason>
      <Composer pair={pair} isOff={blockReason !== null} onSent={toEnd} />
    </section>
  );
}

function BlockReason({ children }: { children: ReactNode }) {
  if (children === null) return null;
  return (
    <p
      role="status"
      className="border-t border-line bg-amber-soft px-4 py-2 text-sm text-amber sm:px-6"
    >
      {children}
    </p>
  );
}
