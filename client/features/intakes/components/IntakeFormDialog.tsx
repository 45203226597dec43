import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import Plus from 'lucide-react/icons/plus';
import Trash2 from 'lucide-react/icons/trash-2';
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { type Resolver, set, useFieldArray } from 'react-hook-form';
import { caseTypes } from '@matterdesk/contract/cases.ts';
import { type PublicForm, emptyPage, renderForm } from '@matterdesk/contract/intake-form-page.ts';
import {
  findFormErrors,
  type IntakeForm,
  NewIntakeFormSchema,
  FIELDS_MAX,
  formFieldKinds,
} from '@matterdesk/contract/intake-forms.ts';
import {
  CheckboxField,
  FormField,
  SelectField,
  TextAreaField,
  TextField,
} from '../../../core/fields.tsx';
import { type Form, renameFieldErrors, useSave } from '../../../core/form.ts';
import { FormDialog } from '../../../core/FormDialog.tsx';
import { fullName } from '../../../core/full-name.ts';
import { usePeople } from '../../../core/people.ts';
import { useFirm } from '../../../core/use-firm.ts';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { MultiSelect } from '../../../ui/MultiSelect.tsx';
import { SandboxFrame } from '../../../ui/SandboxFrame.tsx';
import { addForm, changeForm } from '../api.forms.ts';
import {
  blankForm,
  type FormInputs,
  placeOf,
  toBody,
  toInputs,
  newQuestion,
  conditionsOf,
  hasOptions,
  kindNames,
  mapNames,
} from '../rules.forms.ts';

interface IntakeFormDialogProps {
  /** The form to edit; a new one without. */
  form: IntakeForm | null;
  onClose: () => void;
  onSaved: () => void;
  /** Whether there is something to save; stays the same function. */
  onDirty: (isDirty: boolean) => void;
}

type Problem = { path: string; message: string };

function problemsOf(values: FormInputs): Problem[] {
  const { success, data, error } = NewIntakeFormSchema.safeParse(toBody(values));
  if (success) return findFormErrors(data.fields);
  return error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
}

const resolver: Resolver<FormInputs> = (values) => {
  const errors = {};
  for (const { path, message } of problemsOf(values))
    set(errors, placeOf(path), { type: 'check', message });
  return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} };
};

/** A public form: its address and words, its questions, where it may be framed, and who gets what comes in. */
export function IntakeFormDialog(props: IntakeFormDialogProps) {
  const { form: known, onClose, onSaved, onDirty } = props;
  const [isPreview, setIsPreview] = useState(false);
  const start = known ? toInputs(known) : blankForm;
  const saving = useSave<FormInputs, FormInputs>(resolver, start, async (values, key) => {
    const body = NewIntakeFormSchema.parse(toBody(values));
    const { active: _, ...changes } = body;
    const sending = known
      ? changeForm({ params: { id: known.id }, body: changes })
      : addForm({ body, idempotencyKey: key });
    await sending.catch(renameFieldErrors(placeOf));
    onSaved();
  });
  const { form } = saving;
  const { isDirty } = form.formState;
  useEffect(() => onDirty(isDirty), [isDirty, onDirty]);
  const options = usePeople()
    .people.filter(({ active }) => active)
    .map((person) => ({ id: person.id, label: fullName(person) }));
  const submit: typeof saving.submit = (event) => {
    // Errors appear under the fields, which the preview hides.
    setIsPreview(false);
    saving.submit(event);
  };
  return (
    <FormDialog
      saving={{ ...saving, submit }}
      size="wide"
      title={known ? `Form “${known.name}”` : 'New form'}
      submit="Save form"
      actions={
        <Button
          aria-pressed={isPreview}
          className="aria-pressed:bg-accent-soft aria-pressed:text-accent-ink"
          onClick={() => setIsPreview(!isPreview)}
        >
          Preview
        </Button>
      }
      onClose={onClose}
    >
      {isPreview && <FormPreview form={form} />}
      <div hidden={isPreview} className="sm:col-span-2">
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField form={form} name="name" label="Name" required />
          <TextField
            form={form}
            name="slug"
            label="Address"
            hint={`The end of ${location.origin}/intake/…`}
            spellCheck={false}
            required
          />
          <SelectField
            form={form}
            name="type"
            label="Type"
            placeholder="Any type"
            options={caseTypes}
          />
          <FormField
            form={form}
            name="owners"
            label="Owners"
            hint="New inquiries rotate among these people."
          >
            <MultiSelect
              placeholder="No owners"
              options={options}
              value={form.watch('owners')}
              onChange={(ids) => form.setValue('owners', ids, { shouldDirty: true })}
            />
          </FormField>
          <TextAreaField form={form} name="intro" label="Intro" rows={3} />
          <TextAreaField form={form} name="thanks" label="Thanks" rows={3} required />
          <TextAreaField
            form={form}
            name="notice"
            label="Notice"
            hint="Small print above the boxes."
            rows={3}
          />
          <TextAreaField
            form={form}
            name="origins"
            label="Websites that may show it"
            hint="One per line, such as https://www.firm.example."
            rows={3}
          />
        </div>
        <FormQuestions form={form} />
      </div>
    </FormDialog>
  );
}

/** The page of a form as strangers will see it: the same renderer, in a frame that sends nothing. */
function FormPreview({ form }: { form: Form<FormInputs, FormInputs> }) {
  const [page, setPage] = useState<Document | null>(null);
  const firm = useFirm().data?.name ?? '';
  // Half a form is shown as far as it goes.
  const asked = toBody(form.watch()) as PublicForm;
  const { style, body } = renderForm({ ...emptyPage, form: asked, firm, stamp: '', source: '' });
  useEffect(() => {
    if (page) fill(page, style, body);
  }, [page, style, body]);
  return (
    <SandboxFrame
      title="Preview"
      onReady={setPage}
      className="block h-[min(64dvh,44rem)] w-full rounded-card border border-line sm:col-span-2"
    />
  );
}

function fill(page: Document, style: string, body: string) {
  const sheet = page.createElement('style');
  sheet.textContent = style;
  page.head.replaceChildren(sheet);
  const parsed = new DOMParser().parseFromString(body, 'text/html');
  page.body.replaceChildren(...parsed.body.childNodes);
}

/** The questions of a form, in their order. */
function FormQuestions({ form }: { form: Form<FormInputs, FormInputs> }) {
  const { fields, append, remove, move } = useFieldArray({ control: form.control, name: 'fields' });
  const { errors } = form.formState;
  const add = () =>
    append(newQuestion(form.getValues('fields')), {
      shouldFocus: true,
      focusName: `fields.${fields.length}.label`,
    });
  const moveTo = (from: number, to: number, button: HTMLButtonElement) => {
    flushSync(() => move(from, to));
    // The browser drops the focus of an element that moves; the first and the last cannot move on.
    if (button.disabled) form.setFocus(`fields.${to}.label`);
    else button.focus();
  };
  return (
    <section aria-label="Questions" className="mt-7">
      <h3 className="mb-2 font-semibold">Questions</h3>
      {errors.root?.message !== undefined && (
        <p role="alert" className="mb-2 text-note text-red">
          {errors.root.message}
        </p>
      )}
      <ol className="border-t border-line">
        {fields.map(({ id }, index) => (
          <QuestionFields
            key={id}
            form={form}
            index={index}
            count={fields.length}
            onMove={(to, button) => moveTo(index, to, button)}
            onRemove={() => remove(index)}
          />
        ))}
      </ol>
      <Button icon={Plus} className="mt-3" disabled={fields.length >= FIELDS_MAX} onClick={add}>
        Add a question
      </Button>
    </section>
  );
}

interface QuestionFieldsProps {
  form: Form<FormInputs, FormInputs>;
  index: number;
  count: number;
  onMove: (to: number, button: HTMLButtonElement) => void;
  onRemove: () => void;
}

const kinds = formFieldKinds.map((value) => ({ value, label: kindNames[value] }));
const maps = Object.entries(mapNames).map(([value, label]) => ({ value, label }));

/** One question: its words and kind, when it is asked, and where its answer goes. */
function QuestionFields({ form, index, count, onMove, onRemove }: QuestionFieldsProps) {
  const place = `fields.${index}` as const;
  const all = form.watch('fields');
  const { kind = 'line', showKey = '' } = all[index] ?? {};
  const conditions = conditionsOf(all, index);
  const condition = conditions.find(({ key }) => key === showKey);
  const name = `question ${index + 1}`;
  return (
    <li className="grid gap-3 border-b border-line py-4 sm:grid-cols-[minmax(0,1fr)_11rem_11rem_auto]">
      <TextField form={form} name={`${place}.label`} label={`Question ${index + 1}`} />
      <SelectField
        form={form}
        name={`${place}.kind`}
        label="Kind"
        placeholder="Kind"
        options={kinds}
      />
      <SelectField
        form={form}
        name={`${place}.maps`}
        label="Goes to"
        placeholder="Answers only"
        options={maps}
      />
      <span className="flex items-end">
        <IconButton
          label={`Move ${name} up`}
          icon={ArrowUp}
          variant="quiet"
          disabled={index === 0}
          onClick={({ currentTarget }) => onMove(index - 1, currentTarget)}
        />
        <IconButton
          label={`Move ${name} down`}
          icon={ArrowDown}
          variant="quiet"
          disabled={index === count - 1}
          onClick={({ currentTarget }) => onMove(index + 1, currentTarget)}
        />
        <IconButton
          label={`Remove ${name}`}
          icon={Trash2}
          variant="quiet"
          disabled={count === 1}
          onClick={onRemove}
        />
      </span>
      {hasOptions(kind) && (
        <TextAreaField
          form={form}
          name={`${place}.options`}
          label="Options"
          hint="One per line."
          rows={3}
          className="sm:col-span-full"
        />
      )}
      <TextField form={form} name={`${place}.help`} label="Help" />
      <SelectField
        form={form}
        name={`${place}.showKey`}
        label="Asked if"
        placeholder="Always"
        options={conditions.map(({ key, label }) => ({ value: key, label }))}
      />
      {condition && (
        <SelectField
          form={form}
          name={`${place}.showEquals`}
          label="is answered"
          placeholder="Answer"
          options={condition.answers}
        />
      )}
      <CheckboxField
        form={form}
        name={`${place}.required`}
        label="Required"
        className="self-end pb-1.5"
      />
    </li>
  );
}
