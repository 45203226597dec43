import TriangleAlert from 'lucide-react/icons/triangle-alert';
import type { Rule, RuleStep } from '@matterdesk/contract/court-rules.ts';
import type { NewTrigger } from '@matterdesk/contract/proposals.ts';
import {
  DateField,
  MatterField,
  PersonSelect,
  SelectField,
  TextField,
} from '../../../core/fields.tsx';
import { useSave } from '../../../core/form.ts';
import { FormDialog } from '../../../core/FormDialog.tsx';
import type { CaseField } from '../../../core/slots.ts';
import { useResource } from '../../../core/use-resource.ts';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { formatDay } from '../../../ui/days.ts';
import type { Option } from '../../../ui/option.ts';
import { applyRule } from '../api.ts';
import { spanInWords } from '../rules.counting.ts';
import { deadlineOf, triggerEvent, courtList, countedDate } from '../slice.ts';
import { Lines } from './CountLines.tsx';

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

type Application = {
  case: string | null;
  rule: string;
  /** The title of what the steps count from. */
  trigger: string;
  date: string;
  service: string;
  owner: string;
  second: string | null;
  /** Places of the steps that are not wanted. */
  left: number[];
};

/** 'Apply a rule': each date with its lines before anything is stored. */
function ApplyDialog({ matter, preset, ownerId, caseField, onClose }: ApplyDialogProps) {
  const { data: courts } = useResource(courtList, 'all');
  const rules = courts?.rules ?? [];
  const start = { case: matter?.id ?? null, owner: ownerId, second: null, left: [] };
  const saving = useSave<Application, Application>(
    null,
    { ...start, rule: '', trigger: '', date: '', service: '' },
    async ({ trigger, date, service, left, ...values }, key) => {
      const rule = rules.find(({ id }) => id === values.rule);
      const body = {
        ...values,
        case: values.case ?? '',
        steps: rule?.steps.map((_, place) => place).filter((place) => !left.includes(place)),
        trigger: preset?.sent ?? { title: trigger || (rule?.trigger ?? ''), date },
        ...(service !== '' && { service: Number(service) }),
      };
      await applyRule({ body, idempotencyKey: key });
      onClose();
    },
  );
  const { form } = saving;
  const typed = form.watch();
  const rule = rules.find(({ id }) => id === typed.rule);
  const date = preset?.date ?? typed.date;
  const toggle = (place: number) => {
    const others = typed.left.filter((other) => other !== place);
    const left = others.length < typed.left.length ? others : [...others, place];
    form.setValue('left', left);
  };
  return (
    <FormDialog
      saving={saving}
      size="large"
      title="Apply a rule"
      subtitle="Check each date before you rely on it. When what it counts from moves, Matterdesk proposes to move it."
      submit="Add deadlines"
      onClose={onClose}
    >
      <MatterField form={form} name="case" label="Matter" picker={caseField} initial={matter} />
      <SelectField
        form={form}
        name="rule"
        label="Rule"
        placeholder="Select a rule"
        options={rules.map(({ id, name, reviewed }) => ({
          value: id,
          label: reviewed ? name : `${name} · not reviewed`,
        }))}
      />
      {rule && !rule.reviewed && <Unreviewed rule={rule} />}
      {preset ? (
        <p className="sm:col-span-2">
          Counted from <strong className="font-semibold">{preset.title}</strong>,{' '}
          {formatDay(preset.date)}
        </p>
      ) : (
        <>
          <TextField
            form={form}
            name="trigger"
            label="Trigger"
            placeholder={rule?.trigger ?? 'Complaint served'}
          />
          <DateField form={form} name="date" label="Trigger date" />
        </>
      )}
      <PersonSelect form={form} name="owner" label="Owner" />
      <PersonSelect form={form} name="second" label="Second" nullable />
      <TextField
        form={form}
        name="service"
        label="Days for service"
        hint="Empty: as the rule says. Three for mail, FRCP 6(d); none for e-service"
        type="number"
        min={0}
        max={30}
      />
      {rule && (
        <AppliedSteps
          rule={rule}
          date={date}
          service={typed.service === '' ? undefined : Number(typed.service)}
          left={typed.left}
          onToggle={toggle}
        />
      )}
    </FormDialog>
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
  /** Empty until it is entered. */
  date: string;
  /** Days that replace those of the steps. */
  service: number | undefined;
  /** Places of the steps that are not wanted. */
  left: readonly number[];
  onToggle: (place: number) => void;
}

/** The dates that a rule gives, each with its lines and warnings. */
function AppliedSteps({ rule, date, service, left, onToggle }: AppliedStepsProps) {
  return (
    <section aria-label="Dates" className="mt-1 sm:col-span-2">
      <h3 className="font-semibold">Dates</h3>
      {date === '' && (
        <p className="text-ink-2">
          Enter the trigger date to see each date with its counting. Nothing is added before you
          choose Add deadlines.
        </p>
      )}
      <ul>
        {rule.steps.map((step, place) => (
          <Step
            key={JSON.stringify(step)}
            step={{ ...step, service: service ?? step.service }}
            jurisdiction={rule.jurisdiction}
            date={date}
            isWanted={!left.includes(place)}
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
  const { data, failure } = useResource(countedDate, date === '' ? null : asked);
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
          hint={[spanInWords(step), step.authority].filter(Boolean).join(' · ')}
          checked={props.isWanted}
          onChange={props.onToggle}
        />
        <strong className="font-semibold tabular-nums">
          {data ? formatDay(data.date) : (failure?.message ?? (date === '' ? '' : '…'))}
        </strong>
      </div>
      {data?.warnings.map((warning) => (
        <p key={warning} className="mt-1 ml-6.5 text-note text-amber">
          {warning}
        </p>
      ))}
      {data && (
        <div className="mt-1.5 ml-6.5 text-sm">
          <Lines lines={data.lines} />
        </div>
      )}
    </li>
  );
}

/** A known trigger for the steps. */
type Preset = { title: string; date: string; sent: NewTrigger };
