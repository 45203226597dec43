import type { TextMessage } from '@matterdesk/contract/messages.ts';
import CircleAlert from 'lucide-react/icons/circle-alert';
import { memo } from 'react';
import { cx } from '../../../ui/cx.ts';
import { hasFailed, statusInWords, timeOf } from '../rules.ts';
import { Media } from './Media.tsx';

interface BubbleProps {
  message: TextMessage;
  /** From the user's own number. */
  isOwn: boolean;
  name: string;
  withTime: boolean;
}

/** A message: the user's own at the right, the contact's at the left. */
export const Bubble = memo(function Bubble({ message, isOwn, name, withTime }: BubbleProps) {
  const at = new Date(message.dateSent);
  const when = at.toLocaleString();
  return (
    <li className={cx('flex flex-col gap-1.5', isOwn ? 'items-end' : 'items-start')}>
      <span className="sr-only">{`${isOwn ? 'You' : name}, ${when}:`}</span>
      {message.body !== '' && (
        <p
          title={when}
          className={cx(
            'w-fit max-w-[80%] rounded-pop px-3 py-2 whitespace-pre-wrap wrap-anywhere',
            isOwn ? 'rounded-br-[3px] bg-accent text-on-accent' : 'rounded-bl-[3px] bg-hover',
          )}
        >
          {message.body}
        </p>
      )}
      {message.media.map(({ url, mimeType }) => (
        <Media key={url} url={url} mimeType={mimeType} />
      ))}
      {withTime && (
        <p className="max-w-[80%] text-xs text-ink-2">
          <time dateTime={message.dateSent} title={when}>
            {timeOf(at)}
          </time>
          <DeliveryStatus message={message} />
        </p>
      )}
    </li>
  );
});

/** The delivery status of a message, with the reason if it failed. */
function DeliveryStatus({ message }: { message: TextMessage }) {
  const words = statusInWords(message.status);
  if (words === '') return null;
  if (!hasFailed(message))
    return (
      <span key={message.status} className="animate-appear">
        {` · ${words}`}
      </span>
    );
  return (
    <span className="text-red">
      {' · '}
      <CircleAlert className="mr-1 inline size-3.5! align-[-2px]" />
      {words}
      {message.error !== null && `: ${message.error.message}`}
    </span>
  );
}
