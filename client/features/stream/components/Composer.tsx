import '../../../core/stream.css';
import Paperclip from 'lucide-react/icons/paperclip';
import Phone from 'lucide-react/icons/phone';
import {
  type ComponentType,
  type KeyboardEvent,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { ENTRY_MAX, type EntryKind } from '@matterdesk/contract/stream.ts';
import { openCall } from '../../../core/call-card.ts';
import { fileOfLink } from '../../../core/file-link.ts';
import { fullName } from '../../../core/full-name.ts';
import { usePeople } from '../../../core/people.ts';
import { useAppSelector } from '../../../core/store.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { Chip } from '../../../ui/Chip.tsx';
import { LAST_DAY } from '../../../ui/days.ts';
import { Kbd } from '../../../ui/Kbd.tsx';
import type { Option } from '../../../ui/option.ts';
import { TextInput } from '../../../ui/TextInput.tsx';
import { useAfterPress } from '../../../ui/use-after-press.ts';
import { useDocumentKey } from '../../../ui/use-document-key.ts';
import { useAddEntry } from '../hooks/use-add-entry.ts';
import { type Draft, keepDraft, keptDraft, withoutSaved } from '../rules.drafts.ts';
import { mentionAt, mentionsIn, offeredTo } from '../rules.ts';

const KINDS: readonly { value: EntryKind; label: string }[] = [
  { value: 'note', label: 'Note' },
  { value: 'memo', label: 'Memo' },
  { value: 'filing', label: 'Filing' },
];

export interface AttachProps {
  caseId: string;
  /** Urls of files. */
  value: readonly string[];
  onChange: (files: string[]) => void;
  onClose: () => void;
}

interface ComposerProps {
  matter: Option;
  /** Chooses files of the matter. */
  attach: ComponentType<AttachProps>;
  /** After a note was saved. */
  onSaved: () => void;
}

/** Writes a note to a matter: a line until it has the focus. What was typed stays through reloads and other pages. */
export function Composer({ matter, attach: Attach, onSaved }: ComposerProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const { draft, change, error, isBusy, save } = useDraft(matter.id, area, onSaved);
  const [isOpen, setIsOpen] = useState(false);
  const [isAttaching, setIsAttaching] = useState(false);
  const afterPress = useAfterPress();
  const me = useAppSelector(({ user }) => user.current);
  useDocumentKey((event) => {
    if (!asksForNote(event, area.current)) return;
    event.preventDefault();
    area.current?.focus();
  });
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void save();
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      if (event.target instanceof HTMLElement) event.target.blur();
      setIsOpen(false);
    }
  };
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of its fields */}
      <form
        noValidate
        aria-label="New note"
        className="stream-composer"
        data-open={isOpen || undefined}
        onFocus={() => document.activeElement === area.current && setIsOpen(true)}
        onBlur={({ currentTarget: form, relatedTarget }) => {
          if (form.contains(relatedTarget)) return;
          afterPress(() => {
            if (!form.contains(document.activeElement)) setIsOpen(false);
          });
        }}
        onKeyDown={handleKeyDown}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <div className="stream-composer-line">
          {me && <Avatar name={fullName(me)} className="max-sm:hidden" />}
          <MentionArea
            area={area}
            isOpen={isOpen}
            value={draft.text}
            onChange={(text) => change({ text })}
          />
          {!isOpen && (
            <span aria-hidden className="max-sm:hidden">
              <Kbd>N</Kbd>
            </span>
          )}
          <IconButton
            label="Attach files"
            icon={Paperclip}
            variant="quiet"
            size="small"
            className="-my-0.5 pointer-coarse:-my-3"
            onClick={() => setIsAttaching(true)}
          />
          <span aria-hidden className="stream-divider" />
          <button
            type="button"
            className="stream-call"
            aria-keyshortcuts="Alt+C"
            onClick={() => openCall({ matter })}
          >
            <Phone />
            <span className="max-sm:sr-only">Log call</span>
            <span aria-hidden className="max-sm:hidden">
              <Kbd>Alt C</Kbd>
            </span>
          </button>
        </div>
        <DraftFiles files={draft.files} onChange={change} />
        {isOpen && <Foot draft={draft} isBusy={isBusy} onChange={change} />}
        {error !== '' && (
          <p role="alert" className="stream-refusal">
            {error}
          </p>
        )}
      </form>
      {/* Keys of the dialog are not those of the form. */}
      {isAttaching && (
        <Attach
          caseId={matter.id}
          value={draft.files}
          onChange={(files) => change({ files })}
          onClose={() => setIsAttaching(false)}
        />
      )}
    </>
  );
}

/** Files that are saved with the note. */
function DraftFiles({ files, onChange }: Pick<Draft, 'files'> & Pick<FootProps, 'onChange'>) {
  if (files.length === 0) return null;
  return (
    <p className="flex flex-wrap gap-1 px-2.5 pb-2">
      {files.map((url) => (
        <Chip
          key={url}
          icon={Paperclip}
          removeLabel="Remove this file"
          onRemove={() => onChange({ files: files.filter((other) => other !== url) })}
        >
          {fileOfLink(url)?.name}
        </Chip>
      ))}
    </p>
  );
}

interface FootProps {
  draft: Draft;
  isBusy: boolean;
  onChange: (changes: Partial<Draft>) => void;
}

/** The kind of an entry, when it happened, and its button. */
function Foot({ draft, isBusy, onChange }: FootProps) {
  return (
    <div
      className="stream-composer-foot"
      onPointerDown={(event) => {
        if (event.target instanceof Element && event.target.closest('button'))
          event.preventDefault();
      }}
    >
      <div role="group" aria-label="Kind" className="stream-segments">
        {KINDS.map(({ value, label }) => (
          <button
            key={value}
            type="button"
            aria-pressed={value === draft.kind}
            onClick={() => onChange({ kind: value })}
          >
            {label}
          </button>
        ))}
      </div>
      <TextInput
        type="datetime-local"
        aria-label="When it happened"
        title="When it happened: now, if it is empty"
        value={draft.at}
        max={`${LAST_DAY}T23:59`}
        onChange={(event) => onChange({ at: event.target.value })}
      />
      <Button type="submit" variant="primary" busy={isBusy} className="ml-auto">
        Save
        <Kbd>Ctrl Enter</Kbd>
      </Button>
    </div>
  );
}

/** 'n' outside of fields, menus and dialogs. */
function asksForNote(event: globalThis.KeyboardEvent, area: HTMLElement | null): boolean {
  if (event.key !== 'n' || event.defaultPrevented) return false;
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  if (!area || area.closest('[aria-hidden="true"], [inert], [data-base-ui-inert]')) return false;
  const { target } = event;
  if (!(target instanceof HTMLElement)) return false;
  const isElsewhere = target.closest('input, select, textarea, [role=menu], [role=dialog]');
  return !target.isContentEditable && isElsewhere === null;
}

/** The unsaved note of a matter, kept with each change, and its save. */
function useDraft(
  caseId: string,
  area: RefObject<HTMLTextAreaElement | null>,
  onSaved: () => void,
) {
  const [draft, setDraft] = useState(() => keptDraft(caseId));
  const { error, setError, isBusy, add } = useAddEntry(() => area.current !== null);
  const { people } = usePeople();
  const change = (changes: Partial<Draft>) => {
    const next = { ...draft, ...changes };
    keepDraft(caseId, next);
    setDraft(next);
    setError('');
  };
  const save = async () => {
    const { kind, text, at, files } = draft;
    if (text.trim() === '') return;
    const mentions = mentionsIn(text, people);
    const time = at === '' ? null : new Date(at).toISOString();
    const body = { kind, text, at: time, mentions, files };
    if (!(await add(caseId, body))) return;
    // Words typed meanwhile stay, even in a composer that was closed and opened again.
    keepDraft(caseId, withoutSaved(keptDraft(caseId), draft));
    setDraft((now) => withoutSaved(now, draft));
    setError('');
    onSaved();
  };
  return { draft, change, error, isBusy, save };
}

interface MentionAreaProps {
  area: RefObject<HTMLTextAreaElement | null>;
  isOpen: boolean;
  value: string;
  onChange: (text: string) => void;
}

/** A text that grows with its lines, and offers people after '@'. */
function MentionArea({ area, isOpen, value, onChange }: MentionAreaProps) {
  const { people } = usePeople();
  const [cursor, setCursor] = useState(0);
  const [at, setAt] = useState(0);
  const [isDismissed, setIsDismissed] = useState(false);
  const listId = useId();
  const begun = isOpen && !isDismissed ? mentionAt(value, cursor) : null;
  const offered = begun
    ? offeredTo(
        begun.typed,
        people.filter(({ active }) => active),
      )
    : [];
  const placed = useRef<number>(undefined);
  useLayoutEffect(() => {
    if (placed.current === undefined) return;
    area.current?.setSelectionRange(placed.current, placed.current);
    placed.current = undefined;
  });
  const take = (index: number) => {
    const person = offered[index];
    if (!person || !begun) return;
    const mention = `@${fullName(person)} `;
    const end = begun.from + mention.length;
    placed.current = end;
    setCursor(end);
    onChange(value.slice(0, begun.from) + mention + value.slice(cursor).trimStart());
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    if (offered.length === 0 || event.ctrlKey || event.metaKey) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) setAt((at + step + offered.length) % offered.length);
    else if (event.key === 'Enter' || event.key === 'Tab') take(at);
    else if (event.key === 'Escape') setIsDismissed(true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="stream-area">
      <div className="stream-grow" data-text={value}>
        <textarea
          ref={area}
          rows={1}
          maxLength={ENTRY_MAX}
          value={value}
          placeholder="Write a note, @ to mention someone"
          aria-label="Note"
          aria-autocomplete="list"
          aria-controls={offered.length > 0 ? listId : undefined}
          aria-activedescendant={offered.length > 0 ? `${listId}-${at}` : undefined}
          onKeyDown={handleKeyDown}
          onSelect={(event) => setCursor(event.currentTarget.selectionStart)}
          onChange={({ target }) => {
            setIsDismissed(false);
            setAt(0);
            setCursor(target.selectionStart);
            onChange(target.value);
          }}
        />
      </div>
      {offered.length > 0 && (
        <div id={listId} role="listbox" aria-label="People" tabIndex={-1} className="stream-people">
          {offered.map((person, index) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the text has the keys
            <div
              key={person.id}
              id={`${listId}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              // The text keeps the focus.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => take(index)}
            >
              <Avatar name={fullName(person)} />
              {fullName(person)}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
