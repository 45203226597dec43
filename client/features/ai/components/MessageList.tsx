import Check from 'lucide-react/icons/check';
import CircleHelp from 'lucide-react/icons/circle-question-mark';
import Copy from 'lucide-react/icons/copy';
import ListPlus from 'lucide-react/icons/list-plus';
import RotateCw from 'lucide-react/icons/rotate-cw';
import SearchX from 'lucide-react/icons/search-x';
import ShieldCheck from 'lucide-react/icons/shield-check';
import Square from 'lucide-react/icons/square';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { createContext, type ReactNode, use, useEffect, useId, useRef, useState } from 'react';
import type { Answer, Citation } from '@matterdesk/contract/ai.ts';
import { useAttempt } from '../../../core/use-attempt.ts';
import { Button } from '../../../ui/Button.tsx';
import { copyToClipboard } from '../../../ui/copy-to-clipboard.ts';
import { cx } from '../../../ui/cx.ts';
import { Spinner } from '../../../ui/Spinner.tsx';
import {
  type ChatMessage,
  citationName,
  clipQuotation,
  clipboardTextOf,
  splitCitationNumbers,
  splitUnsupported,
  type PartialAnswer,
  WELCOME,
} from '../rules.ts';

/** Whether the cited file has a newer version than the quoted one. */
export const NewerVersions = createContext<(citation: Citation) => boolean>(() => false);

interface MessageListProps {
  messages: readonly ChatMessage[];
  /** Questions to begin with. */
  samples: readonly string[];
  onSample: (question: string) => void;
  /** The answer in progress. */
  draft: PartialAnswer | null;
  /** Citations name their files. */
  isNamed: boolean;
  onAgain: (message: ChatMessage) => void;
  onStop: () => void;
  onCitation: (citation: Citation) => void;
  /** Adds an answer to the stream. */
  onAdd: (entry: ChatMessage, key: string) => Promise<void>;
}

/** The conversation, starting with the welcome. */
export function MessageList(props: MessageListProps) {
  const { messages, samples, onSample, draft, isNamed, onAgain, onStop, onCitation, onAdd } = props;
  const box = useScrollToEnd(messages.length + Number(draft !== null), draft?.text.length);
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
      {messages.map((entry, at) =>
        entry.answer ? (
          <div key={entry.id} data-message="">
            <AnswerView answer={entry.answer} isNamed={isNamed} onCitation={onCitation}>
              {/* An answer whose question was dropped from storage cannot be added. */}
              {at > 0 && isVerified(entry.answer) && (
                <AddToStream isAdded={entry.isAdded === true} onAdd={(key) => onAdd(entry, key)} />
              )}
            </AnswerView>
          </div>
        ) : (
          <div key={entry.id} data-message="" className="flex flex-col items-end gap-1">
            <Bubble user={entry.user}>{entry.message}</Bubble>
            {entry.within && (
              <p className="max-w-[80%] truncate text-note text-ink-2">
                in <bdi>{entry.within.name ?? entry.within.folder}</bdi>
              </p>
            )}
            {entry.hasFailed && entry.reason !== undefined && (
              <p className="max-w-[80%] text-right text-note text-red">{entry.reason}</p>
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
          <PartialAnswerView
            draft={draft}
            isNamed={isNamed}
            onStop={onStop}
            onCitation={onCitation}
          />
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
function useScrollToEnd(count: number, length: number | undefined) {
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

interface PartialAnswerViewProps {
  draft: PartialAnswer;
  isNamed: boolean;
  onStop: () => void;
  onCitation: (citation: Citation) => void;
}

/** An answer while it streams: the passages found and the text so far. */
function PartialAnswerView({ draft, isNamed, onStop, onCitation }: PartialAnswerViewProps) {
  const isWriting = draft.text !== '';
  return (
    <div>
      {isWriting && (
        // Screen readers announce the whole answer, not each word.
        <p
          aria-live="off"
          dir="auto"
          className="rounded-pop rounded-bl-[3px] bg-sunken px-3 py-2.5 whitespace-pre-wrap wrap-anywhere"
        >
          {draft.text}
        </p>
      )}
      <div className="mt-1">
        <FoldedPassages citations={draft.citations} isNamed={isNamed} onCitation={onCitation} />
      </div>
      {/* Keep the Stop button in view, however long the answer is. */}
      <p className="sticky -bottom-3 flex items-center gap-2 bg-surface px-1 py-1.5 text-note text-ink-2">
        <Spinner /> {isWriting ? 'Writing. Not checked yet.' : 'Searching'}
        <Button size="small" icon={Square} className="ml-auto" onClick={onStop}>
          Stop
        </Button>
      </p>
    </div>
  );
}

const BANDS = {
  answer: { words: 'In this document', icon: ShieldCheck, tone: 'text-green' },
  possible: {
    words: 'Possibly relevant. Check the source.',
    icon: CircleHelp,
    tone: 'text-amber',
  },
  near: { words: 'Possible answer', icon: CircleHelp, tone: 'text-amber' },
  none: { words: 'No answer found', icon: SearchX, tone: 'text-ink-2' },
} as const;

function bandOf({ mode, confidence, mayAnswer, citations }: Answer): keyof typeof BANDS {
  if (mode !== 'extractive' || confidence !== 'none') return confidence;
  return mayAnswer === true && citations.length > 0 ? 'near' : 'none';
}

/** Whether it has a quotation that answers, or may answer. */
function isVerified(answer: Answer): boolean {
  return answer.citations.length > 0 && bandOf(answer) !== 'none';
}

interface AddToStreamProps {
  isAdded: boolean;
  onAdd: (key: string) => Promise<void>;
}

/** Makes an entry of an answer, once. */
function AddToStream({ isAdded, onAdd }: AddToStreamProps) {
  const { isBusy, attempt } = useAttempt();
  return (
    <Button
      variant="quiet"
      size="small"
      icon={isAdded ? Check : ListPlus}
      busy={isBusy}
      // A disabled button would lose the focus.
      aria-disabled={isAdded || undefined}
      onClick={() => !isAdded && void attempt('answer', onAdd)}
    >
      {isAdded ? 'Added to stream' : 'Add to stream'}
    </Button>
  );
}

interface AnswerViewProps {
  /** Acts beside the one that copies it. */
  children: ReactNode;
  answer: Answer;
  isNamed: boolean;
  onCitation: (citation: Citation) => void;
}

/** An answer with its sources. Text from a model or a file is never rendered as markup. */
function AnswerView({ answer, isNamed, onCitation, children }: AnswerViewProps) {
  const band = bandOf(answer);
  const { icon: Icon, tone } = BANDS[band];
  const isQuotation = answer.mode === 'extractive' && answer.found;
  const [first] = answer.citations;
  const folded = isQuotation || band === 'near' ? answer.citations.slice(1) : answer.citations;
  const said = confidenceInWords(answer, isNamed);
  return (
    <div>
      <div className="rounded-pop rounded-bl-[3px] bg-sunken px-3 py-2.5">
        <p className={cx('mb-1.5 flex items-center gap-1.5 text-note font-medium', tone)}>
          <Icon className="size-3.5" /> <span className="min-w-0 wrap-anywhere">{said}</span>
        </p>
        {answer.notice !== null && (
          <p className="mb-2 flex gap-1.5 text-note text-amber">
            <TriangleAlert className="size-3.5" /> {answer.notice}
          </p>
        )}
        {(isQuotation || band === 'near') && first && (
          <Passage citation={first} isNamed={isNamed} onCitation={onCitation} />
        )}
        {!isQuotation && (
          <div className={cx(band === 'near' && 'mt-2.5 border-t border-line pt-2 text-ink-2')}>
            <AnswerText answer={answer} isNamed={isNamed} onCitation={onCitation} />
          </div>
        )}
      </div>
      <div className="mt-1 flex flex-wrap items-start justify-between gap-x-2">
        <FoldedPassages citations={folded} isNamed={isNamed} onCitation={onCitation} />
        {answer.citations.length > 0 && (
          <div className="ml-auto flex flex-wrap justify-end">
            {children}
            <Button
              variant="quiet"
              size="small"
              icon={Copy}
              onClick={() => void copyToClipboard(clipboardTextOf(answer), 'Copied with citation')}
            >
              Copy with citation
            </Button>
          </div>
        )}
      </div>
    </div>
  );
}

/** The answer's confidence in words. */
function confidenceInWords(answer: Answer, isNamed: boolean): string {
  const { confidence, mode, unsupported, citations } = answer;
  const { words } = BANDS[bandOf(answer)];
  const [first] = citations;
  if (unsupported.length > 0)
    return first ? 'Check this: some sentences have no source' : 'Check this: no sources found';
  if (confidence !== 'answer') return words;
  if (mode === 'generated' || !first) return 'Every sentence has a source';
  return `${isNamed ? `In ${first.file_name}` : words}, page ${first.page}`;
}

interface AnswerTextProps {
  answer: Answer;
  isNamed: boolean;
  onCitation: (citation: Citation) => void;
}

/** The text of an answer, with citation numbers as links and parts without a source marked. */
function AnswerText({ answer, isNamed, onCitation }: AnswerTextProps) {
  const numbered = (text: string) =>
    splitCitationNumbers(text, answer.citations).map(({ at, text: part, citation }) =>
      citation ? (
        <button
          key={at}
          type="button"
          aria-label={`Passage ${citation.n}, ${citationName(citation, isNamed)}`}
          onClick={() => onCitation(citation)}
          className="mx-0.5 inline-grid h-[18px] min-w-[18px] place-items-center rounded-[5px] bg-accent-soft px-1 align-middle text-xs font-semibold text-accent-ink hover:bg-accent hover:text-on-accent pointer-coarse:h-6 pointer-coarse:min-w-6"
        >
          {citation.n}
        </button>
      ) : (
        <span key={at}>{part}</span>
      ),
    );
  return (
    <p dir="auto" className="whitespace-pre-wrap wrap-anywhere">
      {splitUnsupported(answer).map(({ at, text, kind }) =>
        kind === 'plain' ? (
          <span key={at}>{numbered(text)}</span>
        ) : (
          <span
            key={at}
            className="underline decoration-amber decoration-dotted underline-offset-4"
          >
            {text}
            <span className="ml-1 inline-block text-note text-amber">(no source)</span>
          </span>
        ),
      )}
    </p>
  );
}

interface FoldedPassagesProps {
  citations: readonly Citation[];
  isNamed: boolean;
  onCitation: (citation: Citation) => void;
}

/** Further passages, each expanded by its number. */
function FoldedPassages({ citations, isNamed, onCitation }: FoldedPassagesProps) {
  const id = useId();
  const [open, setOpen] = useState<number | null>(null);
  const shown = citations.find(({ n }) => n === open);
  return (
    <>
      <div className="flex flex-wrap gap-1">
        {citations.map(({ n, page, file_name: name }) => (
          <button
            key={n}
            type="button"
            aria-expanded={n === open}
            aria-controls={n === open ? id : undefined}
            aria-label={isNamed ? `Passage ${n}, ${name}, p. ${page}` : `Passage ${n}, p. ${page}`}
            onClick={() => setOpen(n === open ? null : n)}
            className="flex h-7 items-center gap-1.5 rounded-small px-1 text-note text-ink-2 hover:bg-hover pointer-coarse:h-11"
          >
            <span
              className={cx(
                'grid size-[18px] place-items-center rounded-[5px] text-xs font-semibold',
                n === open ? 'bg-accent text-on-accent' : 'bg-accent-soft text-accent-ink',
              )}
            >
              {n}
            </span>
            {isNamed && <bdi className="max-w-40 truncate">{name}</bdi>} p. {page}
          </button>
        ))}
      </div>
      {shown && (
        <div id={id} className="order-last mt-1 w-full rounded-pop bg-sunken px-3 py-2.5">
          <Passage citation={shown} isNamed={isNamed} onCitation={onCitation} />
        </div>
      )}
    </>
  );
}

interface PassageProps {
  citation: Citation;
  isNamed: boolean;
  onCitation: (citation: Citation) => void;
}

/** A quotation with its key sentence marked, and a link to its place in the file. */
function Passage({ citation, isNamed, onCitation }: PassageProps) {
  const { n, location, version = 1 } = citation;
  const hasNewer = use(NewerVersions)(citation);
  const [isWhole, setIsWhole] = useState(false);
  const { before, marked, after, isClipped } = clipQuotation(citation, isWhole);
  return (
    <figure>
      <blockquote
        dir="auto"
        className="max-h-[17.25rem] overflow-y-auto font-serif text-heading/[1.4375rem] whitespace-pre-line wrap-anywhere"
      >
        “{before}
        <mark>{marked}</mark>
        {after}”
      </blockquote>
      <figcaption className="mt-1.5 flex flex-wrap items-center gap-x-2 text-note text-ink-2">
        <span
          aria-hidden="true"
          className="grid size-[18px] flex-none place-items-center rounded-[5px] bg-accent-soft text-xs font-semibold text-accent-ink"
        >
          {n}
        </span>
        <button
          type="button"
          onClick={() => onCitation(citation)}
          className="link min-h-6 text-left wrap-anywhere pointer-coarse:min-h-11"
        >
          {citationName(citation, isNamed)}
        </button>
        {location !== null && <span className="min-w-0 wrap-anywhere">{location}</span>}
        {hasNewer && (
          <span className="text-amber">{`From version ${version}, not the newest`}</span>
        )}
        {(isClipped || isWhole) && (
          <button
            type="button"
            onClick={() => setIsWhole(!isWhole)}
            className="link ml-auto min-h-6 pointer-coarse:min-h-11"
          >
            {isWhole ? 'Less' : 'Whole passage'}
          </button>
        )}
      </figcaption>
    </figure>
  );
}
