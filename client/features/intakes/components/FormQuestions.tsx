import { FIELDS_MAX } from '@matterdesk/contract/intake-forms.ts';
import Plus from 'lucide-react/icons/plus';
import { flushSync } from 'react-dom';
import { useFieldArray, type UseFormReturn } from 'react-hook-form';
import { Button } from '../../../ui/Button.tsx';
import { type FormInputs, newQuestion } from '../rules.forms.ts';
import { QuestionFields } from './QuestionFields.tsx';

/** The questions of a form, in their order. */
export function FormQuestions({ form }: { form: UseFormReturn<FormInputs> }) {
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
