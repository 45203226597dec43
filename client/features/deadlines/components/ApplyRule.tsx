import { useResource } from '../../../core/use-resource.ts';
import type { CaseField } from '../../../core/case-field.ts';
import type { Option } from '../../../ui/option.ts';
import { deadlineOf, triggerEvent, courtList, countedDate } from '../slice.ts';
import type { Rule, RuleStep } from '@matterdesk/contract/court-rules.ts';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { usePeople } from '../../../core/people.ts';
import { Button } from '../../../ui/Button.tsx';
import { formatDay } from '../../../ui/days.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogClose } from '../../../ui/DialogClose.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Select } from '../../../ui/Select.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { Lines } from './CountLines.tsx';
import type { NewTrigger } from '@matterdesk/contract/proposals.ts';
import { type SubmitEvent, useState } from 'react';
import { CallError } from '../../../api.ts';
import { useClickKey } from '../../../core/use-click-key.ts';
import { applyRule } from '../api.ts';

interface ApplyRuleProps {
  /** `date`, or `event:` or `deadline:` with an id. */
  from: string;
  matter: Option | null;
  ownerId: string;
  caseField: CaseField;
  onClose: () => void;
}

/** The dialog that applies a rule, once what it counts from is known. */
export function ApplyRule({ from, matter, ...props }: ApplyRuleProps) {
  const [kind, id = ''] = from.split(':');
  const { data: event } = useResource(triggerEvent, kind === 'event' ? id : null);
  const { data: deadline } = useResource(deadlineOf, kind === 'deadline' ? id : null);
  const found = event
    ? {
        of: event.case,
        preset: {
          title: event.title,
          date: event.allDay ? event.start : dayIn(event.timeZone, event.start),
          sent: { event: id },
        } satisfies Preset,
      }
    : deadline && {
        of: deadline.case,
        preset: { title: deadline.title, date: deadline.date, sent: { deadline: id } },
      };
  if (kind === 'date') return <ApplyDialog {...props} matter={matter} preset={null} />;
  if (!found) return null;
  const { of, preset } = found;
  const own = of && { id: of.id, label: of.caseName };
  return <ApplyDialog {...props} matter={own} preset={preset} />;
}

/** The day of an instant where the event takes place. */
function dayIn(timeZone: string, instant: string): string {
  return new Date(instant).toLocaleDateString('en-CA', { timeZone });
}

interface ApplyDialogProps {
  matter: Option | null;
  preset: Preset | null;
  ownerId: string;
  caseField: CaseField;
  onClose: () => void;
}

/** 'Apply a rule': each date with its lines before anything is stored. */
function ApplyDialog({ preset, caseField: Cases, onClose, ...props }: ApplyDialogProps) {
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

interface AppliedStepsProps {
  rule: Rule;
  date: string;
  /** Days that replace those of the steps. */
  service: number | undefined;
  /** Places of the steps that are not wanted. */
  left: ReadonlySet<number>;
  onToggle: (place: number) => void;
}

/** The dates that a rule gives, each with its lines and warnings. */
function AppliedSteps({ rule, date, service, left, onToggle }: AppliedStepsProps) {
  return (
    <section aria-label="Dates" className="mt-5">
      <h3 className="font-semibold">Dates</h3>
      <ul>
        {rule.steps.map((step, place) => (
          <Step
            key={JSON.stringify(step)}
            step={{ ...step, service: service ?? step.service }}
            jurisdiction={rule.jurisdiction}
            date={date}
            isWanted={!left.has(place)}
            onToggle={() => onToggle(place)}
          />
        ))}
      </ul>
    </section>
  );
}

function Step(props: {
  step: RuleStep;
  jurisdiction: string;
  date: string;
  isWanted: boolean;
  onToggle: () => void;
}) {
  const { step, jurisdiction, date } = props;
  const { count, unit, direction, roll, service } = step;
  const asked = { jurisdiction, date, count, unit, direction, roll, service };
  const { data, failure } = useResource(countedDate, asked);
  const label = (
    <>
      <span className="font-medium">{step.title}</span>
      <span className="text-ink-2"> · {step.hard ? 'hard' : 'soft'}</span>
    </>
  );
  return (
    <li className="border-b border-line py-2.5">
      <div className="flex items-start justify-between gap-4">
        <Checkbox
          label={label}
          hint={step.authority || undefined}
          checked={props.isWanted}
          onChange={props.onToggle}
        />
        <strong className="font-semibold tabular-nums">
          {data ? formatDay(data.date) : (failure?.message ?? '…')}
        </strong>
      </div>
      {data?.warnings.map((warning) => (
        <p key={warning} className="mt-1 ml-6.5 text-note text-amber">
          {warning}
        </p>
      ))}
      {data && (
        <details className="mt-1.5 ml-6.5">
          <summary className="cursor-pointer text-note text-accent-ink">How it was counted</summary>
          <Lines lines={data.lines} />
        </details>
      )}
    </li>
  );
}

/** What the steps count from, if it is known. */
type Preset = { title: string; date: string; sent: NewTrigger };

interface ApplicationOptions {
  matter: Option | null;
  preset: Preset | null;
  ownerId: string;
  rules: readonly Rule[];
  onDone: () => void;
}

const blank = { rule: '', title: '', date: '', service: '', second: '' };

/** The form that applies a rule. */
function useApplication({ preset, rules, onDone, ...options }: ApplicationOptions) {
  const [matter, setMatter] = useState(options.matter);
  const [entered, setEntered] = useState({ ...blank, owner: options.ownerId });
  /** Places of the steps that are not wanted. */
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({});
  const [isBusy, setIsBusy] = useState(false);
  const withKey = useClickKey();
  const rule = rules.find(({ id }) => id === entered.rule);
  const { owner, second, title } = entered;
  const date = preset?.date ?? entered.date;
  const service = entered.service === '' ? undefined : Number(entered.service);
  const apply = async () => {
    const body = {
      case: matter?.id ?? '',
      rule: entered.rule,
      steps: rule?.steps.map((_, place) => place).filter((place) => !left.has(place)),
      trigger: preset?.sent ?? { title: title || (rule?.trigger ?? ''), date },
      ...(service !== undefined && { service }),
      owner,
      second: second || null,
    };
    setIsBusy(true);
    try {
      await withKey(body, (key) => applyRule(body, key));
      onDone();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setErrors(Object.fromEntries(error.errors.map(({ path, message }) => [path, message])));
    } finally {
      setIsBusy(false);
    }
  };
  return {
    matter,
    setMatter,
    rule,
    date,
    service,
    left,
    errors,
    isBusy,
    set: (name: keyof typeof entered) => ({
      value: entered[name],
      onChange: ({ target }: { target: { value: string } }) =>
        setEntered((before) => ({ ...before, [name]: target.value })),
    }),
    toggle: (place: number) =>
      setLeft((before) => {
        const others = [...before].filter((other) => other !== place);
        return new Set(before.has(place) ? others : [...others, place]);
      }),
    submit: (event: SubmitEvent<HTMLFormElement>) => {
      event.preventDefault();
      void apply();
    },
  };
}
