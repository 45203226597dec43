import { type Check, type Outcome, outcomes } from '@matterdesk/contract/conflicts.ts';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { type SubmitEvent, useState } from 'react';
import { CallError } from '../../../api.ts';
import { Button } from '../../../ui/Button.tsx';
import { Select } from '../../../ui/Select.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { concludeCheck } from '../api.ts';
import { isUndecided, outcomeNames } from '../rules.ts';

const options = outcomes.map((value) => ({ value, label: outcomeNames[value] }));

/** Concludes a check, once every hit that needs a decision has its own. */
export function ConcludeBar({ check }: { check: Check }) {
  const { id, hits } = check;
  const [outcome, setOutcome] = useState('');
  const [reason, setReason] = useState('');
  const [error, setError] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const left = hits.filter((hit) => isUndecided(check, hit)).length;
  const save = async () => {
    setIsBusy(true);
    try {
      const body = { outcome: outcome as Outcome, reason };
      await concludeCheck({ params: { id }, body });
    } catch (failure) {
      if (!(failure instanceof CallError)) throw failure;
      setError(failure.errors[0]?.message);
    } finally {
      setIsBusy(false);
    }
  };
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setError(undefined);
    void save();
  };
  return (
    <form
      noValidate
      aria-label="Conclude"
      onSubmit={handleSubmit}
      className="bottom-0 z-10 border-t border-line-strong bg-surface px-4 py-3 sm:sticky sm:px-9"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <span aria-hidden="true" className="font-medium max-sm:hidden">
          Conclude
        </span>
        <Select
          aria-label="Outcome"
          className="w-52 max-sm:w-full"
          placeholder="Select an outcome"
          options={options}
          value={outcome}
          onChange={({ target }) => setOutcome(target.value)}
        />
        <TextInput
          aria-label="Reason of the outcome"
          className="min-w-24 flex-1 max-sm:basis-full"
          placeholder="Reason"
          autoComplete="off"
          maxLength={500}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
        {left > 0 && (
          <span className="flex items-center gap-1.5 text-sm text-amber">
            <TriangleAlert />
            {left === 1 ? '1 hit has no decision' : `${left} hits have no decision`}
          </span>
        )}
        <Button
          type="submit"
          variant={left > 0 ? 'default' : 'primary'}
          busy={isBusy}
          disabled={left > 0}
        >
          Conclude check
        </Button>
      </div>
      {error !== undefined && (
        <p role="alert" className="mt-1 text-note/[1.125rem] text-red">
          {error}
        </p>
      )}
    </form>
  );
}
