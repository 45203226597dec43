import type { Conversation as Contact } from '@matterdesk/contract/messages.ts';
import { type ReactNode, useCallback, useEffect, useMemo, useRef } from 'react';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import type { Option } from '../../../ui/option.ts';
import { hindranceOf } from '../rules.ts';
import { Composer } from './Composer.tsx';
import { ConversationHeader } from './ConversationHeader.tsx';
import { HistoryView } from './HistoryView.tsx';
import { useConsent } from './use-consent.ts';
import { useConversation } from './use-conversation.ts';

interface ConversationProps {
  contact: Contact;
  own: string;
  /** The case of the contact, once its name is known. */
  matter: Option | null;
  /** Null when texts can be sent, else what an administrator sets. */
  lacking: string | null;
  onBack: () => void;
  onExport: () => void;
  onForget: () => void;
}

/** What was written with one number, and where more is written. */
export function Conversation({ contact, own, lacking, ...props }: ConversationProps) {
  const { phoneNumber } = contact;
  const pair = useMemo(() => ({ from: own, to: phoneNumber }), [own, phoneNumber]);
  const history = useConversation(pair);
  const box = useRef<HTMLDivElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // Unless the writing has taken it: what was pressed may be out of sight now.
    if (!title.current?.closest('section')?.contains(document.activeElement))
      title.current?.focus({ preventScroll: true });
  }, []);
  const toEnd = useCallback(() => box.current?.scrollTo({ top: 0 }), []);
  const isEmpty = history.messages?.length === 0;
  const consent = useConsent(phoneNumber);
  const hindrance = lacking ?? hindranceOf(contact, consent);
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
      <Hindrance>{hindrance}</Hindrance>
      <Composer pair={pair} isOff={hindrance !== null} onSent={toEnd} />
    </section>
  );
}

/** Why nothing can be sent. */
function Hindrance({ children }: { children: ReactNode }) {
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
