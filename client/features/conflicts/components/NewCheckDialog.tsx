import type { Check } from '@matterdesk/contract/conflicts.ts';
import Plus from 'lucide-react/icons/plus';
import X from 'lucide-react/icons/x';
import { useFieldArray, useForm } from 'react-hook-form';
import { CallError } from '../../../api.ts';
import { showFieldErrors } from '../../../core/form.ts';
import { roleOptions } from '../../../core/party-roles.ts';
import { useClickKey } from '../../../core/use-click-key.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogClose } from '../../../ui/DialogClose.tsx';
import { Field } from '../../../ui/Field.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Select } from '../../../ui/Select.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { runCheck } from '../api.ts';
import { startNames, type TypedName } from '../rules.new.ts';
import { NameCheckLine } from './NameCheckLine.tsx';

/** Most names of a check. */
const MOST = 50;

interface NewCheckDialogProps {
  caseId?: string;
  intakeId?: string;
  /** Of the case or the intake. */
  names: readonly TypedName[];
  onClose: () => void;
  onRun: (check: Check) => void;
}

type CheckForm = { names: TypedName[]; texts: boolean };

/** 'New Check': names and their roles; running it keeps a record. */
export function NewCheckDialog(props: NewCheckDialogProps) {
  const { caseId, intakeId, names, onClose, onRun } = props;
  const withKey = useClickKey();
  const form = useForm<CheckForm>({ defaultValues: { names: startNames(names), texts: false } });
  const { control, register, formState, watch } = form;
  const { errors, isDirty, isSubmitting } = formState;
  const { fields, append, remove } = useFieldArray({ control, name: 'names' });
  const typed = watch('names');
  const submit = form.handleSubmit(async (values) => {
    const asked = values.names.map(({ name, role }) => ({ name, role: role || null }));
    const body = { names: asked, texts: values.texts, caseId, intakeId };
    try {
      onRun(await withKey(body, (key) => runCheck(body, key)));
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      showFieldErrors(form, error);
    }
  });
  const about = { ...(caseId && { caseId }), ...(intakeId && { intakeId }) };
  return (
    <Dialog
      open
      onClose={onClose}
      title="New Check"
      subtitle="Compares names with everything that the firm knows, and keeps a record"
      size="large"
      isDirty={isDirty}
      onSubmit={(event) => {
        form.clearErrors();
        void submit(event);
      }}
      footer={
        <>
          <DialogClose />
          <Button type="submit" variant="primary" busy={isSubmitting}>
            Run check
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        {fields.map((field, at) => (
          <div key={field.id} className="flex items-start gap-2">
            <div className="min-w-0 grow">
              <Field label={`Name ${at + 1}`} error={errors.names?.[at]?.name?.message}>
                <TextInput autoComplete="off" {...register(`names.${at}.name`)} />
              </Field>
              <NameCheckLine
                name={typed[at]?.name ?? ''}
                partyRole={typed[at]?.role || null}
                {...about}
              />
            </div>
            <Field label={`Role ${at + 1}`} className="w-44 max-sm:w-32">
              <Select
                placeholder="Any role"
                options={roleOptions}
                {...register(`names.${at}.role`)}
              />
            </Field>
            <IconButton
              label={`Remove name ${at + 1}`}
              icon={X}
              variant="quiet"
              className="mt-6"
              disabled={fields.length === 1}
              onClick={() => remove(at)}
            />
          </div>
        ))}
      </div>
      {fields.length < MOST && (
        <Button
          size="small"
          icon={Plus}
          className="mt-2 mb-5"
          onClick={() => append({ name: '', role: '' })}
        >
          Add a name
        </Button>
      )}
      <Checkbox
        label="Search the text of trained files, too"
        hint="Finds names that only documents mention. It takes longer."
        {...register('texts')}
      />
    </Dialog>
  );
}
