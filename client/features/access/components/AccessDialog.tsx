// The dialog that says who sees a matter, and changes it.

import Lock from 'lucide-react/icons/lock';
import LockOpen from 'lucide-react/icons/lock-open';
import UserPlus from 'lucide-react/icons/user-plus';
import X from 'lucide-react/icons/x';
import { useState, type SubmitEvent, type ReactNode, useMemo, useId } from 'react';
import type { Access, WalledKind, AccessMode } from '@matterdesk/contract/access.ts';
import type { Person } from '@matterdesk/contract/cases.ts';
import { CallError } from '../../../api.ts';
import { fullName } from '../../../core/full-name.ts';
import { LeaveQuestion } from '../../../core/LeaveQuestion.tsx';
import { Pending } from '../../../core/Pending.tsx';
import { usePeople } from '../../../core/people.ts';
import type { MatterAccessProps } from '../../../core/slots.ts';
import { useAppDispatch, useAppSelector, useMay } from '../../../core/store.ts';
import { useAttempt } from '../../../core/use-attempt.ts';
import { useResource } from '../../../core/use-resource.ts';
import { counted, fullMoment, formatTime } from '../../../core/words.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { Chip } from '../../../ui/Chip.tsx';
import { Combobox } from '../../../ui/Combobox.tsx';
import { cx } from '../../../ui/cx.ts';
import { formatDay, localDay } from '../../../ui/days.ts';
import { Dialog, DialogClose } from '../../../ui/Dialog.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { toast } from '../../../ui/toast-store.ts';
import { changeAccess } from '../api.ts';
import {
  countChanges,
  isComplete,
  toChange,
  toDraft,
  type Draft,
  describeEffect,
  describeEntry,
  describePause,
  isOutside,
  needsReason,
  wordsOf,
} from '../rules.ts';
import { accessTo } from '../slice.ts';

const useOwnId = () => useAppSelector(({ user }) => user.current?.id ?? '');

/** 'Access'. Loads who sees the matter before anything can be changed. */
export function AccessDialog(props: MatterAccessProps) {
  const { kind, id, name, onClose } = props;
  const access = useResource(accessTo, { kind, id });
  const { data } = access;
  if (data) return <Editor key={data.updatedAt} {...props} access={data} />;
  return (
    <Dialog open onClose={onClose} title="Access" subtitle={name} size="wide">
      <Pending of={access} what="the access">
        <Skeleton className="h-80" />
      </Pending>
    </Dialog>
  );
}

function Editor(props: MatterAccessProps & { access: Access }) {
  const { kind, id, name, access, onSaved, onClose } = props;
  const dispatch = useAppDispatch();
  const canChange = useMay('createCases', 'manageWalls');
  const [draft, setDraft] = useState<Draft>(() => toDraft(access));
  const { isBusy, attempt } = useAttempt();
  const changes = countChanges(draft, access);
  const save = () =>
    attempt(draft, async () => {
      try {
        await changeAccess({ kind, id }, toChange(draft, access));
      } catch (error) {
        // Someone else has changed it: the new state is shown, and the toast says so.
        if (error instanceof CallError && error.status === 409)
          dispatch(accessTo.invalidated({ kind, id }));
        throw error;
      }
      dispatch(accessTo.invalidated({ kind, id }));
      onSaved();
      toast.success('Access saved');
      onClose();
    });
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isComplete(draft, access)) void save();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Access"
      subtitle={name}
      size="wide"
      isDirty={changes > 0}
      onSubmit={handleSubmit}
      footer={
        <>
          <DialogClose />
          {canChange && (
            <span className="flex items-center gap-3">
              {changes > 0 && (
                <span className="text-sm text-ink-2">{counted(changes, 'change')}</span>
              )}
              <Button
                type="submit"
                variant="primary"
                busy={isBusy}
                disabled={!isComplete(draft, access)}
              >
                Save access
              </Button>
            </span>
          )}
        </>
      }
    >
      <LeaveQuestion isDirty={changes > 0} isClosedByBack />
      <div className="grid gap-6 md:grid-cols-[minmax(0,1fr)_18rem]">
        <AccessForm
          kind={kind}
          access={access}
          draft={draft}
          onChange={setDraft}
          canChange={canChange}
        />
        <SaveEffect kind={kind} access={access} draft={draft} />
      </div>
    </Dialog>
  );
}

interface SaveEffectProps {
  kind: WalledKind;
  access: Access;
  draft: Draft;
}

/** The effect of saving, in sentences, and the history of changes. */
function SaveEffect({ kind, access, draft }: SaveEffectProps) {
  const self = useOwnId();
  const { people } = usePeople();
  const active = people.filter((person) => person.active);
  const sentences = describeEffect(draft, { kind, access, active, self });
  return (
    <div className="grid content-start gap-5 border-line max-md:border-t max-md:pt-5 md:border-l md:pl-6">
      <section aria-live="polite">
        <h3 className="mb-1.5 font-semibold">After saving</h3>
        {sentences.map((sentence) => (
          <p key={sentence} className="mb-2 font-serif">
            {sentence}
          </p>
        ))}
      </section>
      <section>
        <h3 className="mb-1.5 font-semibold">History</h3>
        {access.history.length === 0 && (
          <p className="text-sm text-ink-2">Access has not changed yet.</p>
        )}
        <ol className="grid gap-2.5">
          {access.history.map((entry) => (
            <li key={`${entry.at} ${entry.action}`} className="text-sm">
              <p className="wrap-anywhere">{describeEntry(entry)}</p>
              <p className="text-note text-ink-2">{fullMoment(entry.at)}</p>
            </li>
          ))}
        </ol>
      </section>
    </div>
  );
}

interface AccessFormProps {
  kind: WalledKind;
  access: Access;
  draft: Draft;
  onChange: (draft: Draft) => void;
  canChange: boolean;
}

type SectionProps = AccessFormProps & {
  /** Whether the user may grant access, not only remove it. */
  mayLetIn: boolean;
};

/** The mode, the people of the matter, and those who are screened from it. */
function AccessForm(props: AccessFormProps) {
  const { kind, access, draft, onChange, canChange } = props;
  const self = useOwnId();
  const active = usePeople().people.filter((person) => person.active);
  const mayLetIn = canChange && !isOutside(access, { self, active });
  return (
    <div className="grid content-start gap-5">
      {canChange && !mayLetIn && (
        <p className="border-l-2 border-amber py-1 pl-3">
          {`You opened ${wordsOf[kind].it} for a time: you can remove and screen people, but not let anyone in.`}
        </p>
      )}
      <AccessModes
        kind={kind}
        value={draft.mode}
        disabled={!mayLetIn}
        onChange={(mode) => onChange({ ...draft, mode })}
      />
      <PeopleSection {...props} mayLetIn={mayLetIn} />
      <ScreenedSection {...props} mayLetIn={mayLetIn} />
      {canChange && needsReason(draft, access) && (
        <Field label="Reason">
          <TextInput
            value={draft.reason}
            maxLength={500}
            onChange={(event) => onChange({ ...draft, reason: event.target.value })}
          />
        </Field>
      )}
    </div>
  );
}

function PeopleSection(props: SectionProps) {
  const { kind, access, draft, onChange, canChange, mayLetIn } = props;
  const fixed = access.people.filter(({ why }) => why !== 'added');
  const taken = [...fixed.map(({ person }) => person), ...draft.added];
  const without = ({ id: removed }: Person) => draft.added.filter(({ id }) => id !== removed);
  return (
    <section>
      <Heading title="People" count={taken.length}>
        {mayLetIn && (
          <PersonPicker
            label="Add a person"
            except={[
              ...taken,
              ...pausedIn(props).map(({ person }) => person),
              ...draft.screened.map(({ person }) => person),
            ]}
            onPick={(person) => onChange({ ...draft, added: [...draft.added, person] })}
          />
        )}
      </Heading>
      <ul>
        {fixed.map(({ person, why, until }) => (
          <PersonLine
            key={person.id}
            person={person}
            note={why === 'assigned' ? wordsOf[kind].assigned : 'Opened it for a time'}
          >
            {until !== null && <Chip tone="amber">{`until ${formatTime(until)}`}</Chip>}
          </PersonLine>
        ))}
        {draft.added.map((person) => (
          <PersonLine key={person.id} person={person} note="Added">
            {canChange && (
              <IconButton
                label={`Remove ${fullName(person)}`}
                icon={X}
                variant="quiet"
                size="small"
                onClick={() => onChange({ ...draft, added: without(person) })}
              />
            )}
          </PersonLine>
        ))}
        <PausedPeople {...props} />
      </ul>
      {taken.length === 0 && (
        <p className="py-2 text-sm text-ink-2">No one is assigned or added yet.</p>
      )}
    </section>
  );
}

/** Those who wait to be let in again, and are not in this draft. */
function pausedIn({ access, draft }: Pick<AccessFormProps, 'access' | 'draft'>) {
  const letIn = new Set(draft.added.map(({ id }) => id));
  return (access.paused ?? []).filter(({ person }) => !letIn.has(person.id));
}

function PausedPeople(props: SectionProps) {
  const { kind, draft, onChange, mayLetIn } = props;
  const self = useOwnId();
  return pausedIn(props).map((paused) => (
    <PersonLine key={paused.person.id} person={paused.person} note={describePause(kind, paused)}>
      {mayLetIn && paused.person.id !== self && (
        <Button
          size="small"
          aria-label={`Let ${fullName(paused.person)} in again`}
          onClick={() => onChange({ ...draft, added: [...draft.added, paused.person] })}
        >
          Let in again
        </Button>
      )}
    </PersonLine>
  ));
}

function ScreenedSection({ kind, access, draft, onChange, canChange, mayLetIn }: SectionProps) {
  const self = useOwnId();
  const set = (screened: Draft['screened']) => onChange({ ...draft, screened });
  const before = new Map(access.screened.map((one) => [one.person.id, one]));
  return (
    <section>
      <Heading title="Screened" count={draft.screened.length}>
        {canChange && (
          <PersonPicker
            label="Screen a person"
            except={[...draft.screened.map(({ person }) => person), ...draft.added]}
            onPick={(person) => set([...draft.screened, { person, reason: '' }])}
          />
        )}
      </Heading>
      <ul>
        {draft.screened.map(({ person, reason }) => {
          const kept = before.get(person.id);
          return (
            <PersonLine key={person.id} person={person} note={kept ? noteOf(kept) : 'New'}>
              {!kept && (
                <TextInput
                  aria-label={`Reason to screen ${fullName(person)}`}
                  placeholder="Reason"
                  maxLength={500}
                  value={reason}
                  onChange={({ target }) =>
                    set(
                      draft.screened.map((one) =>
                        one.person.id === person.id ? { person, reason: target.value } : one,
                      ),
                    )
                  }
                />
              )}
              {canChange && person.id !== self && (mayLetIn || !kept) && (
                <IconButton
                  label={`Lift the screen of ${fullName(person)}`}
                  icon={X}
                  variant="quiet"
                  size="small"
                  onClick={() => set(draft.screened.filter((one) => one.person.id !== person.id))}
                />
              )}
            </PersonLine>
          );
        })}
      </ul>
      {draft.screened.length === 0 && (
        <p className="py-2 text-sm text-ink-2">{`No one is screened from ${wordsOf[kind].it}.`}</p>
      )}
    </section>
  );
}

function noteOf({ reason, by, at }: Access['screened'][number]): string {
  const day = formatDay(localDay(new Date(at)), 'short');
  return by ? `${reason} · by ${fullName(by)}, ${day}` : `${reason} · ${day}`;
}

interface HeadingProps {
  title: string;
  count: number;
  children: ReactNode;
}

function Heading({ title, count, children }: HeadingProps) {
  return (
    <div className="flex min-h-10 items-center justify-between gap-3 border-b border-line pb-1.5">
      <h3 className="font-semibold">
        {title} <span className="font-normal text-ink-2 tabular-nums">{count}</span>
      </h3>
      {children}
    </div>
  );
}

interface PersonLineProps {
  person: Person;
  note: string;
  children?: ReactNode;
}

/** A person, why they are listed, and what can be done about it. */
function PersonLine({ person, note, children }: PersonLineProps) {
  const isSelf = useOwnId() === person.id;
  return (
    <li className="flex min-h-11 items-center gap-3 border-b border-line py-1.5">
      <Avatar name={fullName(person)} />
      <div className="min-w-0 grow">
        <p className="truncate font-medium">
          {fullName(person)} {isSelf && <span className="font-normal text-ink-2">you</span>}
        </p>
        <p className="text-note wrap-anywhere text-ink-2">{note}</p>
      </div>
      {children}
    </li>
  );
}

interface PersonPickerProps {
  label: string;
  except: readonly Person[];
  onPick: (person: Person) => void;
}

/** Picks one active person after the other. */
function PersonPicker({ label, except, onPick }: PersonPickerProps) {
  const { people, status } = usePeople();
  const options = useMemo(() => {
    const taken = new Set(except.map(({ id }) => id));
    return people
      .filter(({ id, active }) => active && !taken.has(id))
      .map((person) => ({ id: person.id, label: fullName(person), note: person.email }));
  }, [people, except]);
  const pick = (id: string | null) => {
    const found = people.find((person) => person.id === id);
    if (found) onPick({ id: found.id, firstName: found.firstName, lastName: found.lastName });
  };
  return (
    <Combobox
      aria-label={label}
      icon={UserPlus}
      placeholder={label}
      value={null}
      options={options}
      loading={status === 'loading'}
      onChange={(option) => pick(option?.id ?? null)}
      className="w-48"
    />
  );
}

const MODES = [
  {
    mode: 'open',
    icon: LockOpen,
    title: 'Open',
  },
  {
    mode: 'restricted',
    icon: Lock,
    title: 'Restricted',
  },
] as const;

interface AccessModesProps {
  kind: WalledKind;
  value: AccessMode;
  disabled: boolean;
  onChange: (mode: AccessMode) => void;
}

/** Open or restricted, with what each means. */
function AccessModes({ kind, value, disabled, onChange }: AccessModesProps) {
  const name = useId();
  return (
    <fieldset className="grid gap-2 sm:grid-cols-2">
      <legend className="sr-only">{`Who sees ${wordsOf[kind].it}`}</legend>
      {MODES.map(({ mode, icon: Icon, title }) => (
        <label
          key={mode}
          className={cx(
            'grid grid-cols-[auto_auto_minmax(0,1fr)] gap-x-2 rounded-control border p-3 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
            value === mode ? 'border-accent bg-accent-soft' : 'border-line-strong',
            disabled ? 'opacity-70' : 'cursor-pointer',
          )}
        >
          <input
            type="radio"
            name={name}
            value={mode}
            checked={value === mode}
            disabled={disabled}
            onChange={() => onChange(mode)}
            className="mt-0.5 size-4 flex-none accent-accent outline-none"
          />
          <Icon className="mt-0.5" />
          <span className="font-medium">{title}</span>
          <span className="col-start-3 text-note text-ink-2">{wordsOf[kind][mode]}</span>
        </label>
      ))}
    </fieldset>
  );
}
