import type { Citation } from '@matterdesk/contract/ai.ts';
import RotateCw from 'lucide-react/icons/rotate-cw';
import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { type ChatMessage, type Draft, WELCOME } from '../rules.ts';
import { AnswerView } from './AnswerView.tsx';
import { DraftView } from './DraftView.tsx';

interface MessageListProps {
  messages: readonly ChatMessage[];
  /** Questions to begin with. */
  samples: readonly string[];
  onSample: (question: string) => void;
  /** The answer in progress. */
  draft: Draft | null;
  /** Citations name their files. */
  isNamed: boolean;
  onAgain: (message: ChatMessage) => void;
  onStop: () => void;
  onCitation: (citation: Citation) => void;
}

/** The conversation, starting with the welcome. */
export function MessageList(props: MessageListProps) {
  const { messages, samples, onSample, draft, isNamed, onAgain, onStop, onCitation } = props;
  const box = useFollowing(messages.length + Number(draft !== null), draft?.text.length);
  return (
    <div
      ref={box}
      role="log"
      aria-label="Conversation"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long conversation is scrolled by keys
      tabIndex={0}
      className="flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto p-3 -outline-offset-2"
    >
      <Bubble user={2}>{WELCOME}</Bubble>
      {messages.length === 0 && draft === null && samples.length > 0 && (
        <ul aria-label="Questions to begin with" className="flex flex-col items-end gap-2">
          {samples.map((sample) => (
            <li key={sample} className="max-w-[80%]">
              <Button
                className="h-auto! min-h-8 py-1.5 text-left whitespace-normal!"
                onClick={() => onSample(sample)}
              >
                {sample}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {messages.map((entry) =>
        entry.answer ? (
          <div key={entry.id} data-message="">
            <AnswerView answer={entry.answer} isNamed={isNamed} onCitation={onCitation} />
          </div>
        ) : (
          <div key={entry.id} data-message="" className="flex flex-col items-end gap-1">
            <Bubble user={entry.user}>{entry.message}</Bubble>
            {entry.within && (
              <p className="max-w-[80%] truncate text-note text-ink-2">
                in <bdi>{entry.within.name ?? entry.within.folder}</bdi>
              </p>
            )}
            {entry.hasFailed && (
              <Button size="small" variant="quiet" icon={RotateCw} onClick={() => onAgain(entry)}>
                Ask again
              </Button>
            )}
          </div>
        ),
      )}
      {draft && (
        <div data-message="">
          <DraftView draft={draft} isNamed={isNamed} onStop={onStop} onCitation={onCitation} />
        </div>
      )}
    </div>
  );
}

function Bubble({ user, children }: { user: 1 | 2; children: ReactNode }) {
  return (
    <p
      dir="auto"
      className={cx(
        'w-fit max-w-[80%] rounded-pop px-3 py-2 whitespace-pre-wrap wrap-anywhere',
        user === 1
          ? 'self-end rounded-br-[3px] bg-accent text-on-accent'
          : 'self-start rounded-bl-[3px] bg-sunken',
      )}
    >
      {children}
    </p>
  );
}

/**
 * Keeps the start of the last message in view, unless the user scrolls.
 * @param length of the answer in progress
 */
function useFollowing(count: number, length: number | undefined) {
  const box = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(true);
  const seen = useRef<{ count: number; length: number | undefined }>(undefined);
  useEffect(() => {
    // A new message resumes following; a growing one scrolls along.
    if (seen.current?.count !== count) isFollowing.current = true;
    else if (seen.current.length === length) return;
    seen.current = { count, length };
    const last = box.current?.querySelector('[data-message]:last-of-type');
    if (!last || !isFollowing.current) return;
    const isLong = last.clientHeight > (box.current?.clientHeight ?? 0);
    last.scrollIntoView({ block: isLong ? 'start' : 'nearest' });
  }, [count, length]);
  useEffect(() => {
    const leave = () => {
      isFollowing.current = false;
    };
    const left = new AbortController();
    for (const name of ['wheel', 'touchmove', 'keydown'])
      box.current?.addEventListener(name, leave, { signal: left.signal, passive: true });
    return () => left.abort();
  }, []);
  return box;
}
