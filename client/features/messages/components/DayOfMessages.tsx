import type { TextMessage } from '@matterdesk/contract/messages.ts';
import { memo } from 'react';
import { dayInWords, endsGroup } from '../rules.ts';
import { Bubble } from './Bubble.tsx';

interface DayOfMessagesProps {
  day: string;
  messages: readonly TextMessage[];
  own: string;
  /** The contact's name. */
  name: string;
  today: string;
}

/** The messages of a day. The browser skips its layout while it is out of view. */
export const DayOfMessages = memo(function DayOfMessages(props: DayOfMessagesProps) {
  const { day, messages, own, name, today } = props;
  return (
    <div
      role="group"
      aria-label={dayInWords(day, today)}
      className="[contain-intrinsic-size:auto_600px] [content-visibility:auto]"
    >
      <p className="py-3 [overflow-anchor:none] text-center text-xs text-ink-2">
        {dayInWords(day, today)}
      </p>
      <ol className="flex flex-col gap-2.5">
        {messages.map((message, index) => (
          <Bubble
            key={message.id}
            message={message}
            isOwn={message.from === own}
            name={name}
            withTime={endsGroup(message, messages[index + 1])}
          />
        ))}
      </ol>
    </div>
  );
}, isSame);

/** Each new message regroups all days, but the messages stay the same objects. */
function isSame(before: DayOfMessagesProps, now: DayOfMessagesProps): boolean {
  return (
    before.today === now.today &&
    before.own === now.own &&
    before.name === now.name &&
    before.messages.length === now.messages.length &&
    before.messages.every((message, index) => message === now.messages[index])
  );
}
