import { useResource } from '../../../core/use-resource.ts';
import type { CaseField } from '../../../core/case-field.ts';
import type { Option } from '../../../ui/option.ts';
import { ApplyDialog } from './ApplyDialog.tsx';
import type { Preset } from './use-application.ts';
import { deadlineOf, triggerEvent } from '../slice.ts';

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
