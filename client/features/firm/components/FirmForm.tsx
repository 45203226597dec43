import { zodResolver } from '@hookform/resolvers/zod';
import { type Firm, FirmPatchSchema } from '@matterdesk/contract/firm.ts';
import { type Resolver, useForm } from 'react-hook-form';
import { showFieldErrors } from '../../../core/form.ts';
import { LeaveQuestion } from '../../../core/LeaveQuestion.tsx';
import { Button } from '../../../ui/Button.tsx';
import { changeFirm } from '../api.ts';
import { patchOf } from '../rules.ts';
import { FirmFields } from './FirmFields.tsx';

interface FirmFormProps {
  firm: Firm;
  isAdmin: boolean;
  onSaved: () => void;
}

const validate = zodResolver(FirmPatchSchema);

/** All settings in one form, which keeps what is typed when another admin saves. */
export function FirmForm({ firm, isAdmin, onSaved }: FirmFormProps) {
  const form = useForm<Firm>({
    values: firm,
    disabled: !isAdmin,
    resetOptions: { keepDirtyValues: true },
    // Only what changed is sent, so only that is checked.
    resolver: (async (values, context, options) => {
      const { errors } = await validate(patchOf(firm, values), context, options as never);
      return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} };
    }) as Resolver<Firm>,
  });
  const { isDirty, isSubmitting } = form.formState;
  const handleSubmit = form.handleSubmit(async (values) => {
    const patch = patchOf(firm, values);
    if (Object.keys(patch).length === 0) return;
    try {
      form.reset(await changeFirm(patch));
      onSaved();
    } catch (error) {
      showFieldErrors(form, error);
    }
  });
  return (
    <form noValidate onSubmit={(event) => void handleSubmit(event)}>
      <FirmFields form={form} />
      {isAdmin && (
        <div className="flex flex-wrap items-center gap-3 border-t border-line pt-4">
          <Button type="submit" variant="primary" busy={isSubmitting}>
            Save changes
          </Button>
          {isDirty && !isSubmitting && (
            <Button onClick={() => form.reset(firm)}>Discard changes</Button>
          )}
          {isDirty && <p className="text-note text-ink-2">Not saved yet</p>}
        </div>
      )}
      <LeaveQuestion isDirty={isDirty} />
    </form>
  );
}
