import CalendarClock from 'lucide-react/icons/calendar-clock';
import CalendarPlus from 'lucide-react/icons/calendar-plus';
import { useMemo, useState, type ComponentType, type ReactNode, type SubmitEvent } from 'react';
import { Link } from 'react-router';
import {
  type TakeInvitation,
  eventInvitationRoutes,
} from '@matterdesk/contract/calendar-exchange.ts';
import { eventKinds, type EventKind } from '@matterdesk/contract/calendar.ts';
import type { MailDetail, MailInvitation } from '@matterdesk/contract/mails.ts';
import { lazyNamed } from '../../../core/chunks.ts';
import { matterOfMail } from '../../../core/mail-matter.ts';
import { mutation } from '../../../core/mutation.ts';
import { paths } from '../../../core/paths.ts';
import type { CaseField } from '../../../core/slots.ts';
import { useAppDispatch } from '../../../core/store.ts';
import { useAttempt } from '../../../core/use-attempt.ts';
import { formatTime } from '../../../core/words.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { useToday, localDay } from '../../../ui/days.ts';
import { Dialog, DialogClose } from '../../../ui/Dialog.tsx';
import { Field } from '../../../ui/Field.tsx';
import type { Option } from '../../../ui/option.ts';
import { Select } from '../../../ui/Select.tsx';
import { toast } from '../../../ui/toast-store.ts';
import { findDates, type FoundDate } from '../rules.found-dates.ts';
import { fullDay, kindLabels } from '../rules.ts';
import { calendarChanged } from '../slice.ts';

const EventDialog = lazyNamed(() => import('./EventDialog.tsx'), 'EventDialog');

interface MailCalendarProps {
  mail: MailDetail;
  caseField: CaseField;
  /** Called once the calendar has what the mail invites to. */
  onTaken: () => void;
}

/** Offers a mail's invitation, or the dates in its text, for the calendar. */
export function MailCalendar({ mail, caseField, onTaken }: MailCalendarProps) {
  if (mail.draftId !== null) return null;
  const { invitation } = mail;
  return invitation ? (
    <InvitationCard mail={mail} invitation={invitation} caseField={caseField} onTaken={onTaken} />
  ) : (
    <FoundDates mail={mail} caseField={caseField} />
  );
}

/** Dates in the text, each of which a person checks in the filled form. */
function FoundDates({ mail, caseField }: Omit<MailCalendarProps, 'onTaken'>) {
  const today = useToday();
  const { id, message, subject } = mail;
  const matter = matterOfMail(mail);
  const dates = useMemo(
    () => findDates(`${subject}\n${message}`, today),
    [subject, message, today],
  );
  const [chosen, setChosen] = useState<FoundDate | null>(null);
  return (
    <>
      {dates.map((found) => (
        <MailNote
          key={`${found.kind} ${found.day}`}
          label="Date in this email"
          icon={CalendarPlus}
          action={
            <Button
              size="small"
              variant="quiet"
              className="text-accent-ink!"
              onClick={() => setChosen(found)}
            >
              Add to calendar
            </Button>
          }
        >
          <span className="font-semibold">{kindLabels[found.kind]}</span> · {fullDay(found.day)}
          {found.time !== null && `, ${formatTime(`2000-01-01T${found.time}`)}`}
        </MailNote>
      ))}
      {chosen && (
        <EventDialog
          event={null}
          day={chosen.day}
          times={null}
          matter={matter}
          found={{ ...chosen, subject, mailId: id, caseId: matter?.id ?? null }}
          caseField={caseField}
          onClose={() => setChosen(null)}
        />
      )}
    </>
  );
}

interface InvitationCardProps {
  mail: MailDetail;
  invitation: MailInvitation;
  caseField: CaseField;
  onTaken: () => void;
}

const verbs = { update: 'Update event', cancel: 'Cancel event' } as const;

/** The invitation in a mail. Nothing is taken without a click. */
function InvitationCard({ mail, invitation, caseField, onTaken }: InvitationCardProps) {
  const [isAdding, setIsAdding] = useState(false);
  const { isBusy, take } = useTakeInvitation(mail.id, onTaken);
  const { title, start, organizer, action, event } = invitation;
  const allDay = start.length === 10;
  const day = allDay ? start : localDay(new Date(start));
  const quiet = { size: 'small', variant: 'quiet', className: 'text-accent-ink!' } as const;
  return (
    <>
      <MailNote
        label="Invitation"
        icon={CalendarClock}
        action={
          action === 'skip' ? (
            event === null ? (
              <span className="px-2 font-semibold">Canceled by its organizer</span>
            ) : (
              <Link
                className="px-2 font-semibold underline-offset-3 hover:underline"
                to={paths.event(event, day)}
              >
                In the calendar
              </Link>
            )
          ) : action === 'add' ? (
            <Button {...quiet} onClick={() => setIsAdding(true)}>
              Add to calendar
            </Button>
          ) : (
            <Button {...quiet} busy={isBusy} onClick={() => void take({})}>
              {verbs[action]}
            </Button>
          )
        }
      >
        <bdi className="font-semibold">{title}</bdi> · {whenOf(invitation)}
        {organizer !== '' && ` · ${organizer}`}
      </MailNote>
      {isAdding && (
        <InvitationDialog
          mail={mail}
          title={title}
          caseField={caseField}
          onTaken={onTaken}
          onClose={() => setIsAdding(false)}
        />
      )}
    </>
  );
}

function whenOf({ start, end }: MailInvitation): string {
  if (start.length > 10)
    return `${fullDay(localDay(new Date(start)))}, ${formatTime(start)} – ${formatTime(end)}`;
  return start === end ? fullDay(start) : `${fullDay(start)} – ${fullDay(end)}`;
}

interface MailNoteProps {
  label: string;
  icon: ComponentType;
  action: ReactNode;
  children: ReactNode;
}

/** A line above a mail's text, with what can be done about it. */
function MailNote({ label, icon: Icon, action, children }: MailNoteProps) {
  return (
    <section
      aria-label={label}
      className="mt-2 flex flex-wrap items-center gap-x-2 gap-y-1 rounded-card bg-accent-soft py-1 pr-1 pl-2.5 text-sm text-accent-ink"
    >
      <Icon />
      <p className="min-w-0 grow basis-40 wrap-anywhere">{children}</p>
      {action}
    </section>
  );
}

interface InvitationDialogProps {
  mail: MailDetail;
  title: string;
  caseField: CaseField;
  onTaken: () => void;
  onClose: () => void;
}

const kinds = eventKinds.map((value) => ({ value, label: kindLabels[value] }));

/** Asks which matter an invitation's event belongs to; the proposed one is preselected. */
function InvitationDialog(props: InvitationDialogProps) {
  const { mail, title, caseField: Case, onTaken, onClose } = props;
  const proposed = matterOfMail(mail);
  const [matter, setMatter] = useState<Option | null>(proposed);
  const [kind, setKind] = useState<EventKind>('meeting');
  const [isPrivate, setIsPrivate] = useState(false);
  const { isBusy, take } = useTakeInvitation(mail.id, onTaken);
  const handleSubmit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (await take({ case: matter?.id ?? null, kind, private: isPrivate && !matter })) onClose();
  };
  return (
    <Dialog
      open
      onClose={() => !isBusy && onClose()}
      size="small"
      title="Add to calendar"
      subtitle={title}
      onSubmit={(event) => void handleSubmit(event)}
      footer={
        <>
          <DialogClose />
          <Button type="submit" variant="primary" busy={isBusy}>
            Add
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <Field label="Matter" hint={proposed ? `Proposed: ${proposed.reason}` : undefined}>
          <Case value={matter} onChange={setMatter} />
        </Field>
        <Field label="Kind">
          <Select
            placeholder="Select a kind"
            options={kinds}
            value={kind}
            onChange={({ target }) =>
              setKind(eventKinds.find((name) => name === target.value) ?? 'meeting')
            }
          />
        </Field>
        {matter === null && (
          <Field label="Private">
            <Checkbox
              label="Others see only that you are busy"
              checked={isPrivate}
              onChange={({ target }) => setIsPrivate(target.checked)}
            />
          </Field>
        )}
      </div>
    </Dialog>
  );
}

/** Takes the invitation in a mail; `take` resolves with whether it succeeded. */
function useTakeInvitation(mailId: string, onTaken: () => void) {
  const dispatch = useAppDispatch();
  const { isBusy, attempt } = useAttempt();
  const take = (body: Partial<TakeInvitation>): Promise<boolean> =>
    attempt(body, async (idempotencyKey) => {
      const event = await takeInvitation({ params: { mailId }, body, idempotencyKey });
      toast.success(event.cancelled ? 'Event canceled' : 'In the calendar');
      dispatch(calendarChanged());
      onTaken();
    });
  return { isBusy, take };
}

/** Takes the invitation in a mail, or what it changes. */
const takeInvitation = mutation(
  eventInvitationRoutes.takeInvitation,
  'Couldn’t accept the invitation',
  { toasts: 'errors' },
);
