import Plus from 'lucide-react/icons/plus';
import X from 'lucide-react/icons/x';
import { useFieldArray } from 'react-hook-form';
import type { Check } from '@matterdesk/contract/conflicts.ts';
import { CheckboxField, SelectField, TextField } from '../../../core/fields.tsx';
import { useSave } from '../../../core/form.ts';
import { FormDialog } from '../../../core/FormDialog.tsx';
import { roleOptions } from '../../../core/party-roles.ts';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { runCheck } from '../api.ts';
import { startNames, type TypedName } from '../rules.new.ts';
import { NameCheckLine } from './NameCheckLine.tsx';

/** Most names of a check. */
const MAX_NAMES = 50;

interface NewCheckDialogProps {
  caseId?: string;
  intakeId?: string;
  /** Names of the case or the intake. */
  names: readonly TypedName[];
  onClose: () => void;
  onRun: (check: Check) => void;
}

type CheckForm = { names: TypedName[]; texts: boolean };

/** 'New check': names and their roles; running it keeps a record. */
export function NewCheckDialog(props: NewCheckDialogProps) {
  const { caseId, intakeId, names, onClose, onRun } = props;
  const start = { names: startNames(names), texts: false };
  const saving = useSave<CheckForm, CheckForm>(null, start, async (values, key) => {
    const asked = values.names.map(({ name, role }) => ({ name, role: role || null }));
    const body = { names: asked, texts: values.texts, caseId, intakeId };
    onRun((await runCheck({ body, idempotencyKey: key })).check);
  });
  const { form } = saving;
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'names' });
  const typed = form.watch('names');
  const about = { ...(caseId && { caseId }), ...(intakeId && { intakeId }) };
  return (
    <FormDialog
      saving={saving}
      title="New check"
      subtitle="Compares names with everything that the firm knows, and keeps a record"
      submit="Run check"
      size="large"
      onClose={onClose}
    >
      <div className="grid gap-3 sm:col-span-2">
        {fields.map((field, at) => (
          <div key={field.id} className="flex items-start gap-2">
            <div className="min-w-0 grow">
              <TextField form={form} name={`names.${at}.name`} label={`Name ${at + 1}`} />
              <NameCheckLine
                name={typed[at]?.name ?? ''}
                partyRole={typed[at]?.role || null}
                {...about}
              />
            </div>
            <SelectField
              form={form}
              name={`names.${at}.role`}
              label={`Role ${at + 1}`}
              placeholder="Any role"
              options={roleOptions}
              className="w-44 max-sm:w-32"
            />
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
      {fields.length < MAX_NAMES && (
        <Button
          size="small"
          icon={Plus}
          className="mb-1 justify-self-start"
          onClick={() => append({ name: '', role: '' })}
        >
          Add a name
        </Button>
      )}
      <CheckboxField
        form={form}
        name="texts"
        label="Search the text of trained files, too"
        hint="Finds names that only documents mention. It takes longer."
        wide
      />
    </FormDialog>
  );
}
