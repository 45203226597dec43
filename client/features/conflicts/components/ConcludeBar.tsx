import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { useState } from 'react';
import { type Check, type Conclusion, outcomes } from '@matterdesk/contract/conflicts.ts';
import { useSave } from '../../../core/form.ts';
import { counted, plural } from '../../../core/words.ts';
import { Button } from '../../../ui/Button.tsx';
import { Select } from '../../../ui/Select.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { concludeCheck } from '../api.ts';
import { isUndecided, outcomeNames } from '../rules.ts';
import { ConcludeEmptyCheck } from './ConcludeEmptyCheck.tsx';

const options = outcomes.map((value) => ({ value, label: outcomeNames[value] }));

const BAR = 'bottom-0 z-10 border-t border-line-strong bg-surface px-4 py-3 sm:sticky sm:px-9';

/** Concludes a check, once every hit that needs a decision has its own; at once where nothing was found. */
export function ConcludeBar({ check }: { check: Check }) {
  const [isAsked, setIsAsked] = useState(check.hits.length > 0);
  if (isAsked) return <ConcludeForm check={check} />;
  return (
    <section aria-label="Conclude" className={BAR}>
      <div className="flex flex-wrap items-center justify-end gap-x-3 gap-y-2">
        <span className="mr-auto">{`No match for ${counted(check.names.length, 'name')}`}</span>
        <Button variant="quiet" onClick={() => setIsAsked(true)}>
          Another outcome
        </Button>
        <ConcludeEmptyCheck check={check} />
      </div>
    </section>
  );
}

function ConcludeForm({ check }: { check: Check }) {
  const { id, hits } = check;
  const { form, submit, isBusy } = useSave<Conclusion, Conclusion>(null, { reason: '' }, (body) =>
    concludeCheck({ params: { id }, body }),
  );
  const { errors } = form.formState;
  const error = errors.outcome ?? errors.reason;
  const left = hits.filter((hit) => isUndecided(check, hit)).length;
  return (
    <form noValidate aria-label="Conclude" onSubmit={submit} className={BAR}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <span aria-hidden="true" className="font-medium max-sm:hidden">
          Conclude
        </span>
        <Select
          aria-label="Outcome"
          className="w-52 max-sm:w-full"
          placeholder="Select an outcome"
          options={options}
          {...form.register('outcome')}
        />
        <TextInput
          aria-label="Reason of the outcome"
          className="min-w-24 flex-1 max-sm:basis-full"
          placeholder="Reason"
          autoComplete="off"
          maxLength={500}
          // The bar disappears with the reply, for good.
          readOnly={isBusy}
          {...form.register('reason')}
        />
        {left > 0 && (
          <span className="flex items-center gap-1.5 text-sm text-amber">
            <TriangleAlert />
            {`${counted(left, 'hit')} ${plural(left, 'has', 'have')} no decision`}
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
      {error?.message !== undefined && (
        <p role="alert" className="mt-1 text-note/[1.125rem] text-red">
          {error.message}
        </p>
      )}
    </form>
  );
}
