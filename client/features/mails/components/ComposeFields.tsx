import Briefcase from 'lucide-react/icons/briefcase-business';
import Paperclip from 'lucide-react/icons/paperclip';
import Send from 'lucide-react/icons/send';
import Signature from 'lucide-react/icons/signature';
import Trash2 from 'lucide-react/icons/trash-2';
import {
  type RefObject,
  useState,
  type KeyboardEvent,
  type Ref,
  useId,
  useImperativeHandle,
  useRef,
  useCallback,
} from 'react';
import { useStore } from 'react-redux';
import type { MailboxAddress } from '@matterdesk/contract/mails.ts';
import { fullName } from '../../../core/full-name.ts';
import { peopleOf } from '../../../core/people.ts';
import type { RootState } from '../../../core/store.ts';
import { formatTime } from '../../../core/words.ts';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { Chip } from '../../../ui/Chip.tsx';
import { cx } from '../../../ui/cx.ts';
import { CONTROL_CLASS, useFieldControl, Field } from '../../../ui/Field.tsx';
import { FileInput } from '../../../ui/FileInput.tsx';
import { type Option, useActiveOption } from '../../../ui/option.ts';
import { OptionList, optionElementId } from '../../../ui/OptionList.tsx';
import { useAnchorName, Popup } from '../../../ui/Popup.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import type { SaveStatus } from '../hooks/use-composer.ts';
import {
  endTyping,
  isAddress,
  listRecipients,
  parseRecipients,
  type Recipients,
  suggestPeople,
  typeRecipient,
  addAddresses,
  type MailContent,
} from '../rules.draft.ts';
import { MessageEditor } from './MessageEditor.tsx';

interface ComposeFieldsProps {
  written: MailContent;
  faults: Partial<Record<string, string>>;
  onWrite: (next: Partial<MailContent> | ((now: MailContent) => Partial<MailContent>)) => void;
  to: RefObject<HTMLInputElement | null>;
  message: RefObject<HTMLDivElement | null>;
}

/** The recipients, the subject and the text. */
export function ComposeFields({ written, faults, onWrite, to, message }: ComposeFieldsProps) {
  const [areCopiesOpen, setAreCopiesOpen] = useState(false);
  const hasCopies = areCopiesOpen || written.cc !== '' || written.bcc !== '';
  return (
    <div className="flex min-h-0 grow flex-col gap-2.5 overflow-y-auto px-3 pt-2.5 pb-2">
      <Field
        label="To"
        error={faults['to']}
        className="flex-none"
        aside={
          !hasCopies && (
            <button
              type="button"
              className="rounded-small text-sm text-ink-2 hover:text-ink hover:underline pointer-coarse:min-h-11"
              onClick={() => setAreCopiesOpen(true)}
            >
              Cc and Bcc
            </button>
          )
        }
      >
        <AddressInput
          ref={to}
          value={written.to}
          onChange={(text) => onWrite({ to: text })}
          // A mail has one addressee; the others get it as a copy.
          onMore={(more) => onWrite((now) => ({ cc: addAddresses(now.cc, more) }))}
        />
      </Field>
      {hasCopies &&
        (['cc', 'bcc'] as const).map((name) => (
          <Field
            key={name}
            label={name === 'cc' ? 'Cc' : 'Bcc'}
            error={faults[name]}
            className="flex-none"
          >
            <AddressInput
              // Opening the two fields focuses the first.
              ref={areCopiesOpen && name === 'cc' ? focusOnMount : undefined}
              placeholder="Separate with commas"
              value={written[name]}
              onChange={(text) => onWrite({ [name]: text })}
            />
          </Field>
        ))}
      <Field label="Subject" error={faults['subject']} className="flex-none">
        <TextInput
          autoComplete="off"
          value={written.subject}
          onChange={(event) => onWrite({ subject: event.target.value })}
        />
      </Field>
      <Field
        label="Message"
        error={faults['text'] ?? faults['html']}
        className="flex min-h-40 grow flex-col"
      >
        <MessageEditor written={written} onWrite={onWrite} message={message} />
      </Field>
    </div>
  );
}

function focusOnMount(input: HTMLInputElement | null) {
  input?.focus();
}

interface AddressInputProps {
  /** Addresses separated by commas. */
  value: string;
  onChange: (text: string) => void;
  /** Takes all but the first; without it there may be several. */
  onMore?: (addresses: string[]) => void;
  placeholder?: string;
  ref?: Ref<HTMLInputElement> | undefined;
}

/** Recipients as chips, and an input that suggests known people, but adds them only when chosen. */
function AddressInput({ placeholder, ref, ...list }: AddressInputProps) {
  const readKnown = useCorrespondents();
  const { recipients, change } = useRecipients(list);
  const { chosen, typed } = recipients;
  const [found, setFound] = useState<readonly Option[]>([]);
  const { active, setActive, move } = useActiveOption(found.length);
  const box = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  useImperativeHandle(ref, () => input.current as HTMLInputElement, []);
  const anchorName = useAnchorName();
  const listId = useId();
  const control = useFieldControl({});
  const close = () => setFound([]);
  const handleChange = (text: string) => {
    const next = typeRecipient(chosen, text);
    change(next);
    setFound(suggestPeople(next.typed, readKnown()).map(toOption));
    setActive(-1);
  };
  const pick = ({ id: email }: Option) => {
    change({ chosen: [...chosen, email], typed: '' });
    close();
    input.current?.focus();
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    const option = found[active];
    if (key === 'Backspace' && typed === '' && chosen.length > 0) {
      change({ chosen: chosen.slice(0, -1), typed: chosen.at(-1) ?? '' });
    } else if (key === 'Enter' && option) pick(option);
    else if (key === 'Enter' && typed !== '' && !event.ctrlKey && !event.metaKey) {
      change(endTyping(recipients));
      close();
    } else if (key === 'Escape' && found.length > 0) close();
    else if (found.length === 0 || !move(key)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const combobox = {
    role: 'combobox',
    'aria-expanded': true,
    'aria-controls': listId,
    'aria-activedescendant': active < 0 ? undefined : optionElementId(listId, active),
  };
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- a click next to the input focuses it */}
      <div
        ref={box}
        style={{ anchorName }}
        onClick={(event) => event.target === box.current && input.current?.focus()}
        className={cx(
          CONTROL_CLASS,
          'flex min-h-9 w-full cursor-text flex-wrap items-center gap-1 px-2! py-[5px] has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-offset-2 has-[input:focus-visible]:outline-accent has-[input[aria-invalid]]:border-red pointer-coarse:min-h-11',
        )}
      >
        {chosen.map((address, at) => (
          <Chip
            // oxlint-disable-next-line react/no-array-index-key -- an address may be there twice
            key={`${address} ${at}`}
            tone={isAddress(address) ? 'neutral' : 'red'}
            removeLabel={`Remove ${address}`}
            onRemove={() => {
              change({ chosen: chosen.toSpliced(at, 1), typed });
              input.current?.focus();
            }}
          >
            {address}
          </Chip>
        ))}
        <input
          {...control}
          ref={input}
          inputMode="email"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          aria-autocomplete="list"
          {...(found.length > 0 && combobox)}
          placeholder={chosen.length === 0 ? placeholder : undefined}
          value={typed}
          onChange={(event) => handleChange(event.target.value)}
          onKeyDown={handleKeyDown}
          onBlur={() => change(endTyping(recipients))}
          className="h-6 min-w-20 grow basis-0 bg-transparent outline-none"
        />
      </div>
      {found.length > 0 && (
        <Popup
          anchor={box}
          anchorName={anchorName}
          onDismiss={close}
          className="w-[anchor-size(inline)]"
        >
          <OptionList
            id={listId}
            label="Suggestions"
            options={found}
            chosenIds={[]}
            activeIndex={active}
            onActive={setActive}
            onPick={pick}
          />
        </Popup>
      )}
    </>
  );
}

/** The list and what is typed after it, which the list alone does not distinguish. */
function useRecipients({ value, onChange, onMore }: AddressInputProps) {
  const [latest, setLatest] = useState(() => parseRecipients(value));
  const recipients = listRecipients(latest) === value ? latest : parseRecipients(value);
  const change = ({ chosen, typed }: Recipients) => {
    const next = { chosen: onMore ? chosen.slice(0, 1) : chosen, typed };
    setLatest(next);
    const text = listRecipients(next);
    if (text !== value) onChange(text);
    if (onMore && chosen.length > 1) onMore(chosen.slice(1));
  };
  return { recipients, change };
}

function toOption({ name, email }: { name: string; email: string }): Option {
  return name === '' || name === email
    ? { id: email, label: email }
    : { id: email, label: name, note: email };
}

/** The likely recipients that are already loaded: correspondents, colleagues, and parties of cases. */
function useCorrespondents(): () => MailboxAddress[] {
  const store = useStore<RootState>();
  return useCallback(() => correspondentsOf(store.getState()), [store]);
}

function correspondentsOf(state: RootState): MailboxAddress[] {
  const { mails, cases } = state;
  return [
    ...Object.values(mails.lists).flatMap(
      ({ data }) => data?.mails.flatMap(({ from, to }) => [to, from]) ?? [],
    ),
    ...peopleOf(state).map((person) => ({ name: fullName(person), email: person.email })),
    ...Object.values(cases.entities).flatMap((item) =>
      [item.clientInfo, item.opposingCounselInfo].flatMap(({ name, email }) =>
        email === null ? [] : [{ name: name ?? '', email }],
      ),
    ),
  ];
}

interface ComposeFooterProps {
  isSending: boolean;
  /** Whether files are being uploaded. */
  isAttaching: boolean;
  saveStatus: SaveStatus;
  savedAt: string | undefined;
  onFiles: (files: readonly File[]) => void;
  onLibrary: () => void;
  onSignature: () => void;
  onDiscard: () => void;
}

/** Send, attach and discard buttons, and whether the draft is saved. */
export function ComposeFooter(props: ComposeFooterProps) {
  const { isSending, isAttaching, saveStatus, savedAt, onFiles, onLibrary } = props;
  const { onSignature, onDiscard } = props;
  const files = useRef<HTMLInputElement>(null);
  return (
    <div className="flex flex-none items-center gap-1 border-t border-line px-3 py-2.5">
      <Button
        type="submit"
        variant="primary"
        icon={Send}
        busy={isSending}
        disabled={isAttaching}
        aria-keyshortcuts="Control+Enter"
      >
        Send Email
      </Button>
      <IconButton
        label="Attach files"
        icon={Paperclip}
        variant="quiet"
        onClick={() => files.current?.click()}
      />
      <IconButton label="Attach from a case" icon={Briefcase} variant="quiet" onClick={onLibrary} />
      <IconButton label="Signature" icon={Signature} variant="quiet" onClick={onSignature} />
      <SaveStatusMark saveStatus={saveStatus} savedAt={savedAt} />
      <IconButton label="Discard draft" icon={Trash2} variant="quiet" onClick={onDiscard} />
      <FileInput ref={files} multiple aria-label="Files to attach" onFiles={onFiles} />
    </div>
  );
}

interface SaveStatusMarkProps {
  saveStatus: SaveStatus;
  /** When the draft was last saved. */
  savedAt: string | undefined;
}

/** Whether and when the draft was saved to Gmail. Screen readers announce only failures. */
function SaveStatusMark({ saveStatus, savedAt }: SaveStatusMarkProps) {
  return (
    <div className="min-w-0 grow text-right text-note text-ink-3 tabular-nums">
      {saveStatus === 'saving' && 'Saving'}
      {saveStatus === 'idle' && savedAt !== undefined && (
        <>
          Saved
          <span className="max-[360px]:hidden">
            {' at '}
            <span className="whitespace-nowrap">{formatTime(savedAt)}</span>
          </span>
        </>
      )}
      <span role="status" className="text-amber">
        {saveStatus === 'failed' && 'Not saved'}
      </span>
    </div>
  );
}
