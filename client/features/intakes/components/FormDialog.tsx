import { caseTypes } from '@matterdesk/contract/cases.ts';
import {
  findFormErrors,
  type IntakeForm,
  NewIntakeFormSchema,
  FIELDS_MAX,
  fieldKinds,
} from '@matterdesk/contract/intake-forms.ts';
import { useEffect, useState } from 'react';
import { type Resolver, set, useForm, type UseFormReturn, useFieldArray } from 'react-hook-form';
import { CallError } from '../../../api.ts';
import { usePeople } from '../../../core/people.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogClose } from '../../../ui/DialogClose.tsx';
import { Field } from '../../../ui/Field.tsx';
import { MultiSelect } from '../../../ui/MultiSelect.tsx';
import { Select } from '../../../ui/Select.tsx';
import { TextArea } from '../../../ui/TextArea.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
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
import { type Asked, fresh, renderForm } from '@matterdesk/contract/intake-form-page.ts';
import { useFirm } from '../../../core/use-firm.ts';
import { SandboxFrame } from '../../../ui/SandboxFrame.tsx';
import Plus from 'lucide-react/icons/plus';
import { flushSync } from 'react-dom';
import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import Trash2 from 'lucide-react/icons/trash-2';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';

interface FormDialogProps {
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
export function FormDialog({ form: known, onClose, onSaved, onDirty }: FormDialogProps) {
  const form = useForm<FormInputs>({
    defaultValues: known ? toInputs(known) : blankForm,
    resolver,
  });
  const { register, formState, watch, setValue, setError } = form;
  const { errors, isDirty, isSubmitting } = formState;
  const [isPreview, setIsPreview] = useState(false);
  useEffect(() => onDirty(isDirty), [isDirty, onDirty]);
  const people = usePeople().people.filter(({ active }) => active);
  const submit = form.handleSubmit(
    async (values) => {
      const body = NewIntakeFormSchema.parse(toBody(values));
      try {
        const { active: _, ...changes } = body;
        await (known ? changeForm(known.id, changes) : addForm(body));
        onSaved();
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        setIsPreview(false);
        for (const { path, message } of error.errors)
          setError(placeOf(path) as 'name', { message });
      }
    },
    () => setIsPreview(false),
  );
  const options = people.map(({ id, firstName, lastName }) => ({
    id,
    label: `${firstName} ${lastName}`,
  }));
  const owners = watch('owners');
  return (
    <Dialog
      open
      onClose={onClose}
      size="wide"
      title={known ? `Form “${known.name}”` : 'New Form'}
      isDirty={isDirty}
      onSubmit={(event) => void submit(event)}
      footer={
        <>
          <DialogClose />
          <span className="flex gap-2">
            <Button
              aria-pressed={isPreview}
              className="aria-pressed:bg-accent-soft aria-pressed:text-accent-ink"
              onClick={() => setIsPreview(!isPreview)}
            >
              Preview
            </Button>
            <Button type="submit" variant="primary" busy={isSubmitting}>
              Save form
            </Button>
          </span>
        </>
      }
    >
      {isPreview && <FormPreview form={form} />}
      <div hidden={isPreview}>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Name" error={errors.name?.message} required>
            <TextInput autoComplete="off" {...register('name')} />
          </Field>
          <Field
            label="Address"
            error={errors.slug?.message}
            hint={`The end of ${location.origin}/intake/…`}
            required
          >
            <TextInput autoComplete="off" spellCheck={false} {...register('slug')} />
          </Field>
          <Field label="Type" error={errors.type?.message}>
            <Select placeholder="Any type" options={caseTypes} {...register('type')} />
          </Field>
          <Field
            label="Owners"
            error={errors.owners?.message}
            hint="What comes in is given to each in turn."
          >
            <MultiSelect
              placeholder="No one in turn"
              options={options}
              value={owners}
              onChange={(ids) => setValue('owners', ids, { shouldDirty: true })}
            />
          </Field>
          <Field label="Intro" error={errors.intro?.message}>
            <TextArea rows={3} {...register('intro')} />
          </Field>
          <Field label="Thanks" error={errors.thanks?.message} required>
            <TextArea rows={3} {...register('thanks')} />
          </Field>
          <Field label="Notice" error={errors.notice?.message} hint="Small print above the boxes.">
            <TextArea rows={3} {...register('notice')} />
          </Field>
          <Field
            label="Websites that may show it"
            error={errors.origins?.message}
            hint="One per line, such as https://www.firm.example."
          >
            <TextArea rows={3} {...register('origins')} />
          </Field>
        </div>
        <FormQuestions form={form} />
      </div>
    </Dialog>
  );
}

/** The page of a form as strangers will see it: the same renderer, in a frame that sends nothing. */
function FormPreview({ form }: { form: UseFormReturn<FormInputs> }) {
  const [page, setPage] = useState<Document | null>(null);
  const firm = useFirm().data?.name ?? '';
  // Half a form is shown as far as it goes.
  const asked = toBody(form.watch()) as Asked;
  const { style, body } = renderForm({ ...fresh, form: asked, firm, stamp: '', source: '' });
  useEffect(() => {
    if (page) fill(page, style, body);
  }, [page, style, body]);
  return (
    <SandboxFrame
      title="Preview"
      onReady={setPage}
      className="block h-[min(64dvh,44rem)] w-full rounded-card border border-line"
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
function FormQuestions({ form }: { form: UseFormReturn<FormInputs> }) {
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
  form: UseFormReturn<FormInputs>;
  index: number;
  count: number;
  onMove: (to: number, button: HTMLButtonElement) => void;
  onRemove: () => void;
}

const kinds = fieldKinds.map((value) => ({ value, label: kindNames[value] }));
const maps = Object.entries(mapNames).map(([value, label]) => ({ value, label }));

/** One question: its words and kind, when it is asked, and where its answer goes. */
function QuestionFields({ form, index, count, onMove, onRemove }: QuestionFieldsProps) {
  const { register, watch, formState } = form;
  const errors = formState.errors.fields?.[index];
  const place = `fields.${index}` as const;
  const all = watch('fields');
  const { kind = 'line', showKey = '' } = all[index] ?? {};
  const conditions = conditionsOf(all, index);
  const condition = conditions.find(({ key }) => key === showKey);
  const name = `question ${index + 1}`;
  return (
    <li className="grid gap-3 border-b border-line py-4 sm:grid-cols-[minmax(0,1fr)_11rem_11rem_auto]">
      <Field label={`Question ${index + 1}`} error={errors?.label?.message}>
        <TextInput autoComplete="off" {...register(`${place}.label`)} />
      </Field>
      <Field label="Kind" error={errors?.kind?.message}>
        <Select placeholder="Kind" options={kinds} {...register(`${place}.kind`)} />
      </Field>
      <Field label="Goes to" error={errors?.maps?.message}>
        <Select placeholder="Answers only" options={maps} {...register(`${place}.maps`)} />
      </Field>
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
        <Field
          label="Options"
          hint="One per line."
          error={errors?.options?.message}
          className="sm:col-span-full"
        >
          <TextArea rows={3} {...register(`${place}.options`)} />
        </Field>
      )}
      <Field label="Help" error={errors?.help?.message}>
        <TextInput autoComplete="off" {...register(`${place}.help`)} />
      </Field>
      <Field label="Asked if" error={errors?.showKey?.message}>
        <Select
          placeholder="Always"
          options={conditions.map(({ key, label }) => ({ value: key, label }))}
          {...register(`${place}.showKey`)}
        />
      </Field>
      {condition && (
        <Field label="is answered" error={errors?.showEquals?.message}>
          <Select
            placeholder="Answer"
            options={condition.answers}
            {...register(`${place}.showEquals`)}
          />
        </Field>
      )}
      <span className="self-end pb-1.5">
        <Checkbox label="Required" {...register(`${place}.required`)} />
      </span>
    </li>
  );
}
