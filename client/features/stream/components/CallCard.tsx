import '../../../core/stream.css';
import ChevronRight from 'lucide-react/icons/chevron-right';
import Minus from 'lucide-react/icons/minus';
import PhoneOutgoing from 'lucide-react/icons/phone-outgoing';
import Plus from 'lucide-react/icons/plus';
import X from 'lucide-react/icons/x';
import {
  type ComponentType,
  type KeyboardEvent,
  type Ref,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { ENTRY_MAX, type FoundPerson, PEOPLE_SEARCH_MIN } from '@matterdesk/contract/stream.ts';
import { changeCall, closeCall, type LoggedCall, useLoggedCall } from '../../../core/call-card.ts';
import type { CaseField } from '../../../core/slots.ts';
import { formatTime } from '../../../core/words.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { firstControl, isFocusLost } from '../../../ui/focus.ts';
import { Kbd } from '../../../ui/Kbd.tsx';
import { Marked } from '../../../ui/Marked.tsx';
import { type Option, useActiveOption } from '../../../ui/option.ts';
import { TextArea } from '../../../ui/TextArea.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { searchCallers } from '../api.ts';
import { useCallSave } from '../hooks/use-call-save.ts';
import {
  chosenFrom,
  clockOf,
  mattersInWords,
  optionOf,
  resultFor,
  parseDuration,
  secondsOf,
} from '../rules.calls.ts';
import { results } from '../rules.ts';

interface CallCardProps {
  caseField: CaseField;
  /** 'Add New Task' of the call's matter, which the shell passes. */
  taskDialog: ComponentType<{
    matter: Option | null;
    about: { title: string; text: string };
    onClose: () => void;
  }>;
}

/** The call that is being logged: a card over every page, not modal, or a pill while it is small. */
export function CallCard(props: CallCardProps) {
  const call = useLoggedCall();
  return call && <AnyCard key={call.startedAt} {...props} call={call} />;
}

/** Holds the save, which goes on while the card is small. */
function AnyCard(props: CallCardProps & { call: LoggedCall }) {
  const { call } = props;
  const saving = useCallSave(call);
  const pill = useRef<HTMLButtonElement>(null);
  const said = useRef<HTMLTextAreaElement>(null);
  const wasSmall = useRef(call.isSmall);
  useEffect(() => {
    if (wasSmall.current === call.isSmall) return;
    wasSmall.current = call.isSmall;
    // The pressed button disappears with the focus; without a person, 'Who?' takes it by itself.
    if (isFocusLost()) (pill.current ?? said.current)?.focus();
  }, [call.isSmall]);
  if (call.isSmall) return <CallPill ref={pill} call={call} />;
  return <OpenCard {...props} said={said} saving={saving} />;
}

function CallPill({ ref, call }: { ref: Ref<HTMLButtonElement>; call: LoggedCall }) {
  const clock = useClock(call);
  const name = call.contact?.name ?? call.typed;
  return (
    <button
      ref={ref}
      type="button"
      className="call-pill"
      aria-label={name === '' ? 'Open the call' : `Open the call with ${name}`}
      onClick={() => changeCall({ isSmall: false })}
    >
      <PhoneOutgoing />
      <span className="min-w-0 truncate">{name || 'Call'}</span>
      <span className="tabular-nums">{clock}</span>
    </button>
  );
}

const SECOND = 1000;

/** The clock in words, each second until it is stopped. */
function useClock(call: LoggedCall): string {
  const [now, setNow] = useState(Date.now);
  const isRunning = call.seconds === null;
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => setNow(Date.now()), SECOND);
    return () => clearInterval(timer);
  }, [isRunning]);
  return clockOf(secondsOf(call, now));
}

function OpenCard({
  call,
  caseField: Matter,
  taskDialog: Task,
  said,
  saving: { error, isBusy, save },
}: CallCardProps & {
  call: LoggedCall;
  /** 'What was said'. */
  said: RefObject<HTMLTextAreaElement | null>;
  saving: ReturnType<typeof useCallSave>;
}) {
  const titleId = useId();
  const card = useRef<HTMLElement>(null);
  const [hasTask, setHasTask] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const isDirty = call.text !== '' || call.typed !== '' || call.contact !== null;
  const handleSave = () => {
    if (!call.matter) firstControl(card.current?.querySelector('.call-matter') ?? null)?.focus();
    void save();
  };
  const handleKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    // React also bubbles keys from dialogs above the card, which are outside of it in the document.
    if (event.target instanceof Node && !event.currentTarget.contains(event.target)) return;
    // Keys of the card are not those of the page behind it.
    event.stopPropagation();
    const isInText = event.target instanceof Element && event.target.matches('input, textarea');
    const result = resultFor(event.nativeEvent, isInText);
    if (result !== undefined) setResult(call, result);
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) handleSave();
    else if (event.key === 'Escape') changeCall({ isSmall: true });
    else return;
    event.preventDefault();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of its fields
    <section
      ref={card}
      role="dialog"
      aria-labelledby={titleId}
      className="call-card"
      onKeyDown={handleKeyDown}
    >
      <CallHead
        call={call}
        titleId={titleId}
        onClose={() => (isDirty ? setIsAsking(true) : closeCall())}
      />
      <div className="call-body">
        {call.contact ? (
          <Chosen call={call} contact={call.contact} />
        ) : (
          <Caller call={call} matterField={Matter} onChosen={() => said.current?.focus()} />
        )}
        {call.contact && call.matter === null && <MatterChoice field={Matter} />}
        <div>
          <label htmlFor={`${titleId}-said`} className="mb-1.5 block text-sm font-medium">
            What was said
          </label>
          <TextArea
            ref={said}
            id={`${titleId}-said`}
            rows={3}
            placeholder="Optional once you pick a result"
            value={call.text}
            maxLength={ENTRY_MAX}
            onChange={({ target }) => changeCall({ text: target.value })}
          />
        </div>
        <Results call={call} />
        {error !== '' && (
          <p role="alert" className="text-sm text-red">
            {error}
          </p>
        )}
      </div>
      <footer className="call-foot">
        <Button
          variant="quiet"
          icon={Plus}
          // The dialog would close with the card, once the call is saved.
          disabled={!call.matter || isBusy}
          onClick={() => setHasTask(true)}
        >
          Task
        </Button>
        <span className="ml-auto text-xs text-ink-3">{isDirty && 'Draft kept'}</span>
        <Button variant="primary" busy={isBusy} onClick={handleSave}>
          Save
          <Kbd>Ctrl Enter</Kbd>
        </Button>
      </footer>
      {hasTask && (
        <Task
          matter={call.matter}
          about={{ title: titleOf(call), text: call.text }}
          onClose={() => setHasTask(false)}
        />
      )}
      <ConfirmDialog
        open={isAsking}
        title="Discard this call?"
        confirmLabel="Discard"
        cancelLabel="Keep it"
        onClose={() => setIsAsking(false)}
        onConfirm={closeCall}
      >
        What you typed in the card is not saved.
      </ConfirmDialog>
    </section>
  );
}

function titleOf({ contact, typed }: LoggedCall): string {
  return `After the call with ${contact?.name ?? typed}`;
}

/** The clock stops with the result. */
function setResult(call: LoggedCall, result: LoggedCall['result']) {
  changeCall({ result, seconds: secondsOf(call, Date.now()) });
}

type HeadProps = { call: LoggedCall; titleId: string; onClose: () => void };

function CallHead({ call, titleId, onClose }: HeadProps) {
  const clock = useClock(call);
  return (
    <header className="call-head">
      <PhoneOutgoing className="text-accent-ink" />
      <h2 id={titleId} className="font-semibold">
        Call
      </h2>
      {call.seconds === null ? (
        <span role="timer" aria-label="Length" className="font-medium tabular-nums">
          {clock}
        </span>
      ) : (
        <TextInput
          key={call.result}
          aria-label="Length"
          defaultValue={clock}
          className="call-length"
          onBlur={({ target }) => {
            const seconds = parseDuration(target.value);
            if (seconds === null) target.value = clock;
            else changeCall({ seconds });
          }}
        />
      )}
      <span className="truncate text-xs text-ink-3">{`since ${formatTime(new Date(call.startedAt))}`}</span>
      <span role="group" aria-label="Direction" className="stream-segments ml-auto">
        {(['out', 'in'] as const).map((direction) => (
          <button
            key={direction}
            type="button"
            aria-pressed={direction === call.direction}
            onClick={() => changeCall({ direction })}
          >
            {direction === 'out' ? 'Out' : 'In'}
          </button>
        ))}
      </span>
      <span className="flex">
        <IconButton
          label="Make small"
          icon={Minus}
          variant="quiet"
          size="small"
          onClick={() => changeCall({ isSmall: true })}
        />
        <IconButton
          label="Discard the call"
          icon={X}
          variant="quiet"
          size="small"
          onClick={onClose}
        />
      </span>
    </header>
  );
}

type ChosenProps = { call: LoggedCall; contact: { id: string; name: string } };

/** Once a person is chosen: name and matter, with a way back. */
function Chosen({ call, contact }: ChosenProps) {
  return (
    <div className="call-chosen">
      <Avatar name={contact.name} />
      <span className="min-w-0 grow">
        <span className="block truncate font-medium">{contact.name}</span>
        <span className="block truncate text-sm text-ink-2">
          {[call.matter?.label, call.number].filter(Boolean).join(' · ')}
        </span>
      </span>
      <IconButton
        label="Choose another person"
        icon={X}
        variant="quiet"
        size="small"
        onClick={() => changeCall({ contact: null, number: null, matter: null })}
      />
    </div>
  );
}

/** For a person without an active matter, or with several, and for a name that no contact has. */
function MatterChoice({ field: Matter }: { field: CaseField }) {
  return (
    <div className="call-matter">
      <p className="mb-1.5 text-sm font-medium">Matter</p>
      <Matter aria-label="Matter" value={null} onChange={(matter) => changeCall({ matter })} />
    </div>
  );
}

type CallerProps = { call: LoggedCall; matterField: CaseField; onChosen: () => void };

/** A choice below 'Who?': a person, or one of the matters of a person. */
type Choice = { key: string; person: FoundPerson; matter: FoundPerson['matters'][number] | null };

/** 'Who?': people from three letters or a pasted number on, and a second step for those of several matters. */
function Caller({ call, matterField, onChosen }: CallerProps) {
  const found = useFound(call.typed);
  const [opened, setOpened] = useState<FoundPerson | null>(null);
  const choices: Choice[] = opened
    ? opened.matters.map((matter) => ({ key: matter.id, person: opened, matter }))
    : found.map((person) => ({ key: person.contact.id, person, matter: null }));
  const { active, setActive, move } = useActiveOption(choices.length);
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current?.focus(), []);
  const take = ({ person, matter }: Choice) => {
    const chosen = chosenFrom(person, matter ? optionOf(matter) : call.matter);
    if (chosen.matter === null && person.matters.length > 1) {
      setActive(0);
      setOpened(person);
    } else {
      changeCall(chosen);
      onChosen();
    }
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    const choice = choices[active];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter' && choice) take(choice);
    else if (event.key === 'Escape' && opened) setOpened(null);
    else if (!move(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div>
      <label htmlFor={`${listId}-who`} className="mb-1.5 block text-sm font-medium">
        Who?
      </label>
      <div className="relative">
        <TextInput
          ref={input}
          id={`${listId}-who`}
          role="combobox"
          autoComplete="off"
          aria-autocomplete="list"
          aria-expanded={choices.length > 0}
          aria-controls={listId}
          aria-activedescendant={choices.length > 0 ? `${listId}-${active}` : undefined}
          maxLength={100}
          value={call.typed}
          onKeyDown={handleKeyDown}
          onChange={({ target }) => {
            setOpened(null);
            setActive(0);
            changeCall({ typed: target.value });
          }}
        />
        <span aria-hidden className="call-hint">
          or paste a number
        </span>
      </div>
      <div id={listId} role="listbox" aria-label="People" tabIndex={-1} className="call-choices">
        {choices.map((choice, at) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the text field has the keys
          <div
            key={choice.key}
            id={`${listId}-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === active}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => take(choice)}
          >
            <ChoiceText choice={choice} typed={call.typed} isActive={at === active} />
          </div>
        ))}
      </div>
      {call.matter && (
        <p className="mt-1.5 flex items-center gap-1 text-sm text-ink-2">
          {`In ${call.matter.label}`}
          <IconButton
            label="Choose another matter"
            icon={X}
            variant="quiet"
            size="small"
            onClick={() => changeCall({ matter: null })}
          />
        </p>
      )}
      {choices.length === 0 && call.typed.trim() !== '' && call.matter === null && (
        <div className="mt-4">
          <MatterChoice field={matterField} />
        </div>
      )}
    </div>
  );
}

function ChoiceText(props: { choice: Choice; typed: string; isActive: boolean }) {
  const { person, matter } = props.choice;
  return (
    <>
      <Avatar name={person.contact.name} />
      <span className="min-w-0 grow">
        <span className="block truncate font-medium">
          <Marked
            text={person.contact.name}
            words={props.typed.trim().split(/\s+/).filter(Boolean)}
          />
        </span>
        <span className="block truncate text-sm text-ink-2">
          {matter?.caseName ?? mattersInWords(person)}
        </span>
      </span>
      <span className="call-choice-end">
        {matter === null && person.phoneNumber}
        {props.isActive && <Kbd>Enter</Kbd>}
        {!props.isActive && matter === null && person.matters.length > 1 && <ChevronRight />}
      </span>
    </>
  );
}

/** Milliseconds without typing before people are searched. */
const TYPING_PAUSE_MS = 120;

function useFound(typed: string): readonly FoundPerson[] {
  const [found, setFound] = useState<{ of: string; people: readonly FoundPerson[] }>();
  const wanted = typed.trim();
  useEffect(() => {
    if (wanted.length < PEOPLE_SEARCH_MIN) return undefined;
    let isOver = false;
    const search = async () => {
      // Without an answer, a typed name is saved as it is.
      const people = await searchCallers(wanted).catch(() => []);
      if (!isOver) setFound({ of: wanted, people });
    };
    const timer = setTimeout(() => void search(), TYPING_PAUSE_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [wanted]);
  return wanted.length >= PEOPLE_SEARCH_MIN && found?.of === wanted ? found.people : [];
}

function Results({ call }: { call: LoggedCall }) {
  return (
    <div>
      <p id="call-result" className="mb-1.5 text-sm font-medium">
        Result
      </p>
      <div role="group" aria-labelledby="call-result" className="call-results">
        {results.map(({ value, label }, at) => (
          <button
            key={value}
            type="button"
            aria-pressed={value === call.result}
            onClick={() => setResult(call, value)}
          >
            {label}
            <span aria-hidden>
              <Kbd>{String(at + 1)}</Kbd>
            </span>
          </button>
        ))}
      </div>
    </div>
  );
}
