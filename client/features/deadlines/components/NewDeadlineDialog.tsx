import { NewDeadlineSchema } from '@matterdesk/contract/deadlines.ts';
import {
  CheckboxField,
  DateField,
  MatterField,
  PersonSelect,
  SelectField,
  TextAreaField,
  TextField,
  TimeField,
} from '../../../core/fields.tsx';
import { useSave } from '../../../core/form.ts';
import { FormDialog } from '../../../core/FormDialog.tsx';
import type { CaseField, SourceText } from '../../../core/slots.ts';
import type { Option } from '../../../ui/option.ts';
import { addDeadline } from '../api.ts';
import { kindOptions } from '../rules.counting.ts';

interface NewDeadlineDialogProps {
  matter: Option | null;
  ownerId: string;
  /** A text from which it is made. */
  about?: SourceText;
  caseField: CaseField;
  onClose: () => void;
}

export function NewDeadlineDialog(props: NewDeadlineDialogProps) {
  const { matter, ownerId, about, caseField, onClose } = props;
  const saving = useSave(
    NewDeadlineSchema,
    {
      ...blank,
      ...(about && { title: about.title, note: about.text }),
      case: matter?.id ?? null,
      owner: ownerId,
    },
    async (values, key) => {
      const source = values.case === matter?.id ? (about?.source ?? null) : null;
      await addDeadline({ body: { ...values, source }, idempotencyKey: key });
      onClose();
    },
  );
  const { form } = saving;
  return (
    <FormDialog saving={saving} title="New deadline" submit="Add deadline" onClose={onClose}>
      <TextField form={form} name="title" label="Title" wide />
      <MatterField form={form} name="case" label="Matter" picker={caseField} initial={matter} />
      <SelectField
        form={form}
        name="kind"
        label="Kind"
        placeholder="Select a kind"
        options={kindOptions}
      />
      <DateField form={form} name="date" label="Date" />
      <TimeField form={form} name="time" label="Time" />
      <PersonSelect form={form} name="owner" label="Owner" />
      <PersonSelect form={form} name="second" label="Second" nullable />
      <CheckboxField
        form={form}
        name="hard"
        label="Hard deadline"
        hint="Another person verifies its date and decides about every change."
        wide
      />
      <TextAreaField form={form} name="note" label="Note" wide />
    </FormDialog>
  );
}

const blank = {
  title: '',
  kind: 'response',
  hard: true,
  date: '',
  time: null,
  second: null,
  workingDate: null,
  note: '',
  source: null,
} as const;
