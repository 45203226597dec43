import Check from 'lucide-react/icons/check';
import Clock3 from 'lucide-react/icons/clock-3';
import Mail from 'lucide-react/icons/mail';
import MessageCircle from 'lucide-react/icons/message-circle';
import NotebookPen from 'lucide-react/icons/notebook-pen';
import Phone from 'lucide-react/icons/phone';
import { useState, type KeyboardEvent, type SubmitEvent } from 'react';
import { Link } from 'react-router';
import type { Intake } from '@matterdesk/contract/intakes.ts';
import { CallError } from '../../../api.ts';
import { paths } from '../../../core/paths.ts';
import { saveToTab, readFromTab } from '../../../core/tab-storage.ts';
import { unsentOf } from '../../../core/unsent.ts';
import { useAttempt } from '../../../core/use-attempt.ts';
import { lengthInWords } from '../../../core/words.ts';
import { buttonClass, Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { Field } from '../../../ui/Field.tsx';
import { TextArea } from '../../../ui/TextArea.tsx';
import { addNote } from '../api.ts';
import { clockOf, momentOf } from '../rules.ts';

const TEXT = { neutral: 'text-ink', amber: 'text-amber', red: 'text-red', green: 'text-green' };
const BAR = { neutral: 'bg-ink-3', amber: 'bg-amber', red: 'bg-red', green: 'bg-green' };
const MINUTE = 60_000;

/** Time left to respond, with buttons to call, text or email. */
export function ResponseBar({ intake, now }: { intake: Intake; now: Date }) {
  const [writing, setWriting] = useState(() => keptKind(intake.id));
  const [isAsked, setIsAsked] = useState(false);
  const write = (kind: Kind) => {
    setIsAsked(true);
    setWriting(kind);
  };
  const { tone, words, share } = clockOf(intake, now);
  const { phoneNumber, email, receivedAt, responseDueAt } = intake;
  const target = Math.round((Date.parse(responseDueAt) - Date.parse(receivedAt)) / MINUTE);
  // The conflict check comes first, and is the panel's filled button until then.
  const isNext = intake.firstResponseAt === null && intake.check?.outcome != null;
  const Icon = tone === 'green' ? Check : Clock3;
  return (
    <div className="border-t border-line bg-sunken px-6 py-4">
      <p className="flex items-center justify-between gap-3">
        <span className={cx('flex items-center gap-1.5 font-medium', TEXT[tone])}>
          <Icon />
          {words}
        </span>
        <span className="text-note text-ink-2">
          {`received ${momentOf(receivedAt, now)}, target ${lengthInWords(target)}`}
        </span>
      </p>
      {share !== undefined && (
        <span aria-hidden="true" className="mt-2 block h-[3px] rounded-full bg-line">
          <span
            className={cx('block h-full rounded-full', BAR[tone])}
            style={{ width: `${share * 100}%` }}
          />
        </span>
      )}
      {intake.erasedAt === undefined && (
        <div className="mt-3 flex flex-wrap gap-2">
          <Button
            variant={isNext ? 'primary' : 'default'}
            icon={Phone}
            onClick={() => write('call')}
          >
            Log a call
          </Button>
          {phoneNumber !== null && (
            <Link to={paths.messagesWith(phoneNumber)} className={buttonClass()}>
              <MessageCircle />
              Text
            </Link>
          )}
          {email !== null && (
            <a href={`mailto:${encodeURIComponent(email)}`} className={buttonClass()}>
              <Mail />
              Email
            </a>
          )}
          <Button icon={NotebookPen} onClick={() => write('note')}>
            Note
          </Button>
        </div>
      )}
      {writing && intake.erasedAt === undefined && (
        <NoteForm
          key={writing}
          id={intake.id}
          kind={writing}
          isAsked={isAsked}
          onDone={() => setWriting((now) => (now === writing ? null : now))}
        />
      )}
    </div>
  );
}

type Kind = 'call' | 'note';

const keyOf = (id: string, kind: Kind) => `intake-${kind}-${id}`;

/** The unsaved text about an intake in this tab. */
function keptText(id: string, kind: Kind): string {
  const text = readFromTab(keyOf(id, kind));
  return typeof text === 'string' ? text : '';
}

function keptKind(id: string): Kind | null {
  return (['call', 'note'] as const).find((kind) => keptText(id, kind) !== '') ?? null;
}

interface NoteFormProps {
  id: string;
  kind: Kind;
  /** Whether it was opened by its button, and not for what was typed before. */
  isAsked: boolean;
  onDone: () => void;
}

/** Records a conversation or a note. What was typed stays through other intakes, pages and reloads. */
function NoteForm({ id, kind, isAsked, onDone }: NoteFormProps) {
  const [text, setText] = useState(() => keptText(id, kind));
  const keep = (next: string) => {
    setText(next);
    saveToTab(keyOf(id, kind), next === '' ? null : next);
  };
  const [error, setError] = useState<string>();
  const { isBusy, attempt } = useAttempt();
  const body = { kind, text };
  const save = () =>
    void attempt(body, async (idempotencyKey) => {
      try {
        await addNote({ params: { id }, body, idempotencyKey });
      } catch (problem) {
        if (problem instanceof CallError) setError(problem.message);
        throw problem;
      }
      const rest = unsentOf(keptText(id, kind), text);
      keep(rest);
      if (rest === '') onDone();
    });
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    save();
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save();
    if (event.key !== 'Escape') return;
    event.preventDefault();
    onDone();
  };
  return (
    <form noValidate onSubmit={handleSubmit} className="mt-3">
      <Field label={kind === 'call' ? 'What was said' : 'Note'} error={error}>
        <TextArea
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the button that opens the form asks for it
          autoFocus={isAsked}
          value={text}
          onChange={({ target }) => keep(target.value)}
          onKeyDown={handleKeyDown}
        />
      </Field>
      <div className="mt-2 flex justify-end gap-2">
        <Button
          size="small"
          onClick={() => {
            keep('');
            onDone();
          }}
        >
          Cancel
        </Button>
        <Button type="submit" size="small" busy={isBusy}>
          {kind === 'call' ? 'Save call' : 'Save note'}
        </Button>
      </div>
    </form>
  );
}
