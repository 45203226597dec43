import X from 'lucide-react/icons/x';
import type { ReactNode } from 'react';
import type { Access, WalledKind } from '@matterdesk/contract/access.ts';
import type { Person } from '@matterdesk/contract/cases.ts';
import { Chip } from '../../../ui/Chip.tsx';
import { Field } from '../../../ui/Field.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { fullName, needsReason, timeOf, wordsOf, type Draft } from '../rules.ts';
import { AccessModes } from './AccessModes.tsx';
import { PersonLine } from './PersonLine.tsx';
import { PersonPicker } from './PersonPicker.tsx';
import { useSelf } from './use-self.ts';

interface AccessFormProps {
  kind: WalledKind;
  access: Access;
  draft: Draft;
  onChange: (draft: Draft) => void;
  canChange: boolean;
}

/** The mode, the people of the matter, and those who are screened from it. */
export function AccessForm({ kind, access, draft, onChange, canChange }: AccessFormProps) {
  return (
    <div className="grid content-start gap-5">
      <AccessModes
        kind={kind}
        value={draft.mode}
        disabled={!canChange}
        onChange={(mode) => onChange({ ...draft, mode })}
      />
      <PeopleSection {...{ kind, access, draft, onChange, canChange }} />
      <ScreenedSection {...{ kind, access, draft, onChange, canChange }} />
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

function PeopleSection({ kind, access, draft, onChange, canChange }: AccessFormProps) {
  const fixed = access.people.filter(({ why }) => why !== 'added');
  const taken = [...fixed.map(({ person }) => person), ...draft.added];
  const without = ({ id: removed }: Person) => draft.added.filter(({ id }) => id !== removed);
  return (
    <section>
      <Heading title="People" count={taken.length}>
        {canChange && (
          <PersonPicker
            label="Add a person"
            except={[...taken, ...draft.screened.map(({ person }) => person)]}
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
            {why === 'opened' && <Chip tone="amber">{`until ${timeOf(until)}`}</Chip>}
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
      </ul>
      {taken.length === 0 && (
        <p className="py-2 text-sm text-ink-2">No one is assigned or added yet.</p>
      )}
    </section>
  );
}

function ScreenedSection({ kind, access, draft, onChange, canChange }: AccessFormProps) {
  const self = useSelf().id;
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
              {canChange && person.id !== self && (
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
  const day = new Date(at).toLocaleDateString(undefined, { month: 'short', day: 'numeric' });
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
