import { useForm } from 'react-hook-form';
import { usePeople } from '../../../core/people.ts';
import { showFieldErrors } from '../../../core/form.ts';
import { useAppSelector } from '../../../core/store.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogClose } from '../../../ui/DialogClose.tsx';
import { Field } from '../../../ui/Field.tsx';
import { RadioGroup } from '../../../ui/RadioGroup.tsx';
import { Select } from '../../../ui/Select.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { addFeed } from '../api.feeds.ts';
import { choices, details, emptyFeed, toNewFeed, type FeedInputs } from '../rules.feeds.ts';

interface FeedFormProps {
  onClose: () => void;
  onAdded: (url: string) => void;
}

/** 'New feed': whose items, which of them, and how much of each. */
export function FeedForm({ onClose, onAdded }: FeedFormProps) {
  const me = useAppSelector((state) => state.user.current?.id);
  const { people } = usePeople();
  const form = useForm<FeedInputs>({ defaultValues: emptyFeed(me) });
  const { errors, isDirty, isSubmitting } = form.formState;
  const [chosen, detail] = [form.watch('chosen'), form.watch('detail')];
  const hasNone = !choices.some(({ name }) => chosen[name]);
  const submit = form.handleSubmit(async (inputs) => {
    try {
      onAdded((await addFeed(toNewFeed(inputs))).url);
    } catch (error) {
      showFieldErrors(form, error);
    }
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title="New feed"
      isDirty={isDirty}
      onSubmit={(submitted) => void submit(submitted)}
      footer={
        <>
          <DialogClose />
          <Button type="submit" variant="primary" busy={isSubmitting} disabled={hasNone}>
            Create feed
          </Button>
        </>
      }
    >
      <div className="space-y-4">
        <Field label="Name" error={errors.name?.message} hint="Other calendars show it.">
          <TextInput autoComplete="off" {...form.register('name')} />
        </Field>
        <Field label="Whose">
          <Select
            placeholder="Everyone"
            options={people
              .filter(({ active }) => active)
              .map(({ id, firstName, lastName }) => ({
                value: id,
                label: id === me ? 'Mine' : `${firstName} ${lastName}`,
              }))}
            {...form.register('person')}
          />
        </Field>
        <fieldset className="min-w-0">
          <legend className="mb-[5px] text-sm font-medium">What</legend>
          <div className="flex flex-wrap gap-x-5 gap-y-1">
            {choices.map(({ name, label }) => (
              <Checkbox key={name} label={label} {...form.register(`chosen.${name}`)} />
            ))}
          </div>
        </fieldset>
        <div>
          <RadioGroup legend="How much of each" options={details} {...form.register('detail')} />
          <p className="mt-1 text-note text-ink-3">
            {details.find(({ value }) => value === detail)?.hint}
          </p>
        </div>
      </div>
    </Dialog>
  );
}
