import type { Rule } from '@matterdesk/contract/court-rules.ts';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import type { CaseField } from '../../../core/case-field.ts';
import { usePeople } from '../../../core/people.ts';
import { useResource } from '../../../core/use-resource.ts';
import { Button } from '../../../ui/Button.tsx';
import { formatDay } from '../../../ui/days.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogClose } from '../../../ui/DialogClose.tsx';
import { Field } from '../../../ui/Field.tsx';
import type { Option } from '../../../ui/option.ts';
import { Select } from '../../../ui/Select.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { AppliedSteps } from './AppliedSteps.tsx';
import { type Preset, useApplication } from './use-application.ts';
import { courtList } from '../slice.ts';

interface ApplyDialogProps {
  matter: Option | null;
  preset: Preset | null;
  ownerId: string;
  caseField: CaseField;
  onClose: () => void;
}

/** 'Apply a rule': each date with its lines before anything is stored. */
export function ApplyDialog({ preset, caseField: Cases, onClose, ...props }: ApplyDialogProps) {
  const { data: courts } = useResource(courtList, 'all');
  const people = usePeople()
    .people.filter(({ active }) => active)
    .map(({ id, firstName, lastName }) => ({ value: id, label: `${firstName} ${lastName}` }));
  const { rule, date, service, left, errors, isBusy, ...form } = useApplication({
    ...props,
    preset,
    rules: courts?.rules ?? [],
    onDone: onClose,
  });
  const { matter, setMatter, set, toggle, submit } = form;
  return (
    <Dialog
      open
      onClose={onClose}
      size="large"
      title="Apply a rule"
      subtitle="Check each date before you rely on it. When what it counts from moves, Matterdesk proposes to move it."
      isDirty={rule !== undefined}
      onSubmit={submit}
      footer={
        <>
          <DialogClose />
          <Button type="submit" variant="primary" busy={isBusy}>
            Add deadlines
          </Button>
        </>
      }
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Matter" error={errors['case']}>
          <Cases value={matter} onChange={setMatter} />
        </Field>
        <Field label="Rule" error={errors['rule']}>
          <Select
            placeholder="Select a rule"
            options={(courts?.rules ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            {...set('rule')}
          />
        </Field>
        {rule && !rule.reviewed && <Unreviewed rule={rule} />}
        {preset ? (
          <p className="sm:col-span-2">
            Counted from <strong className="font-semibold">{preset.title}</strong>,{' '}
            {formatDay(preset.date)}
          </p>
        ) : (
          <>
            <Field label="Trigger" error={errors['trigger']}>
              <TextInput
                autoComplete="off"
                placeholder={rule?.trigger ?? 'Complaint served'}
                {...set('title')}
              />
            </Field>
            <Field label="Trigger date">
              <TextInput type="date" {...set('date')} />
            </Field>
          </>
        )}
        <Field label="Owner" error={errors['owner']}>
          <Select placeholder="Select any user" options={people} {...set('owner')} />
        </Field>
        <Field label="Second" error={errors['second']}>
          <Select placeholder="No one" options={people} {...set('second')} />
        </Field>
        <Field
          label="Days for service"
          error={errors['service']}
          hint="Empty: as the rule says. Three for mail, FRCP 6(d); none for e-service"
        >
          <TextInput type="number" min={0} max={30} {...set('service')} />
        </Field>
      </div>
      {rule && date !== '' && (
        <AppliedSteps rule={rule} date={date} service={service} left={left} onToggle={toggle} />
      )}
    </Dialog>
  );
}

function Unreviewed({ rule }: { rule: Rule }) {
  return (
    <p className="flex items-start gap-2 rounded-control bg-amber-soft px-3 py-2 text-amber sm:col-span-2">
      <TriangleAlert className="mt-0.5 size-4 flex-none" />
      No one of the firm has reviewed “{rule.name}”: compare it with its source first.
    </p>
  );
}
