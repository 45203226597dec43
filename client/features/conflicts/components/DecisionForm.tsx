import type { Decision, Hit } from '@matterdesk/contract/conflicts.ts';
import { type SubmitEvent, useState } from 'react';
import { CallError } from '../../../api.ts';
import { usePeople } from '../../../core/people.ts';
import { Button } from '../../../ui/Button.tsx';
import { Field } from '../../../ui/Field.tsx';
import { MultiSelect } from '../../../ui/MultiSelect.tsx';
import { Select } from '../../../ui/Select.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { decide } from '../api.ts';
import { askInWords, decisionNames, fullName } from '../rules.ts';

interface DecisionFormProps {
  checkId: string;
  hit: Hit;
  canWall: boolean;
  waivers: readonly { value: string; label: string }[];
  onSaved: () => void;
}

type Way = { value: Decision; hint: string };
const noConflict: Way = { value: 'noConflict', hint: 'not the same, or not adverse' };
const wall: Way = { value: 'wall', hint: 'screen people from it' };
const waiver: Way = { value: 'waiver', hint: 'signed consent, attached' };
const decline: Way = { value: 'decline', hint: 'this cannot go on' };

/** Decides about a hit; what cannot be seen is decided by asking. */
export function DecisionForm({ checkId, hit, canWall, waivers, onSaved }: DecisionFormProps) {
  const isHidden = hit.severity === 'hidden';
  const [decision, setDecision] = useState<Decision>(isHidden ? 'asked' : 'noConflict');
  const [reason, setReason] = useState('');
  const [url, setUrl] = useState('');
  const [screened, setScreened] = useState<string[]>([]);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [isBusy, setIsBusy] = useState(false);
  const ways = [noConflict, ...(canWall ? [wall] : []), waiver, decline];
  const save = async () => {
    setIsBusy(true);
    try {
      await decide(checkId, {
        hitIds: [hit.id],
        decision,
        reason,
        ...(decision === 'waiver' && { url: url || null }),
        ...(decision === 'wall' && { screened }),
      });
      onSaved();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setErrors(Object.fromEntries(error.errors.map(({ path, message }) => [path, message])));
    } finally {
      setIsBusy(false);
    }
  };
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setErrors({});
    void save();
  };
  return (
    <form
      noValidate
      aria-label="Decision"
      onSubmit={handleSubmit}
      className="mt-3 grid gap-3 rounded-card border border-line bg-surface p-3.5"
    >
      {isHidden ? (
        <p>{`${askInWords(hit.ask)}, then enter the answer.`}</p>
      ) : (
        <Ways hitId={hit.id} ways={ways} value={decision} onChange={setDecision} />
      )}
      {decision === 'waiver' && (
        <Field
          label="Waiver"
          error={errors['url']}
          hint={
            waivers.length === 0
              ? 'Add the signed waiver to the files of the matter first.'
              : undefined
          }
        >
          <Select
            placeholder="Select the signed waiver"
            options={waivers}
            value={url}
            onChange={({ target }) => setUrl(target.value)}
          />
        </Field>
      )}
      {decision === 'wall' && (
        <Screened value={screened} error={errors['screened']} onChange={setScreened} />
      )}
      <div className="flex flex-wrap items-start gap-2">
        <div className="min-w-52 grow">
          <TextInput
            aria-label={isHidden ? 'The answer' : 'Reason'}
            aria-invalid={errors['reason'] === undefined ? undefined : true}
            placeholder={isHidden ? 'The answer' : 'Reason'}
            autoComplete="off"
            maxLength={500}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
          {(errors['reason'] ?? errors['decision'] ?? errors['hitIds']) !== undefined && (
            <p role="alert" className="mt-1 text-note/[1.125rem] text-red">
              {errors['reason'] ?? errors['decision'] ?? errors['hitIds']}
            </p>
          )}
        </div>
        <Button type="submit" variant="primary" busy={isBusy}>
          Save decision
        </Button>
      </div>
    </form>
  );
}

interface WaysProps {
  hitId: string;
  ways: readonly Way[];
  value: Decision;
  onChange: (decision: Decision) => void;
}

function Ways({ hitId, ways, value, onChange }: WaysProps) {
  return (
    <fieldset className="grid gap-x-4 gap-y-1.5 @min-[48rem]:grid-cols-2">
      <legend className="sr-only">Decision</legend>
      {ways.map((way) => (
        <label
          key={way.value}
          className="flex min-h-6 flex-wrap items-center gap-x-2 pointer-coarse:min-h-11"
        >
          <input
            type="radio"
            name={`decision ${hitId}`}
            checked={value === way.value}
            onChange={() => onChange(way.value)}
            className="size-4 flex-none accent-accent"
          />
          <span className="font-medium">{decisionNames[way.value]}</span>
          <span className="text-sm text-ink-2">{way.hint}</span>
        </label>
      ))}
    </fieldset>
  );
}

interface ScreenedProps {
  value: string[];
  error: string | undefined;
  onChange: (ids: string[]) => void;
}

function Screened({ value, error, onChange }: ScreenedProps) {
  const { people, status } = usePeople();
  const options = people
    .filter(({ active }) => active)
    .map((person) => ({ id: person.id, label: fullName(person), note: person.email }));
  return (
    <Field label="People who lose access at once" error={error}>
      <MultiSelect
        options={options}
        value={value}
        onChange={onChange}
        placeholder="Select people"
        loading={status === 'loading'}
      />
    </Field>
  );
}
