import { fieldKinds } from '@matterdesk/contract/intake-forms.ts';
import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import Trash2 from 'lucide-react/icons/trash-2';
import type { UseFormReturn } from 'react-hook-form';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { Field } from '../../../ui/Field.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Select } from '../../../ui/Select.tsx';
import { TextArea } from '../../../ui/TextArea.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { conditionsOf, type FormInputs, hasOptions, kindNames, mapNames } from '../rules.forms.ts';

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
export function QuestionFields({ form, index, count, onMove, onRemove }: QuestionFieldsProps) {
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
