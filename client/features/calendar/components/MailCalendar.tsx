import CalendarPlus from 'lucide-react/icons/calendar-plus';
import { lazy, Suspense, useMemo, useState } from 'react';
import type { MailDetail } from '@matterdesk/contract/mails.ts';
import type { CaseField } from '../../../core/case-field.ts';
import { Button } from '../../../ui/Button.tsx';
import { useToday } from '../../../ui/days.ts';
import { findDates, type FoundDate } from '../rules.found-dates.ts';
import { fullDay, kindLabels } from '../rules.ts';
import { InvitationCard } from './InvitationCard.tsx';
import { MailNote } from './MailNote.tsx';

const EventDialog = lazy(async () => ({
  default: (await import('./EventDialog.tsx')).EventDialog,
}));

interface MailCalendarProps {
  mail: MailDetail;
  caseField: CaseField;
  /** Called once the calendar has what the mail invites to. */
  onTaken: () => void;
}

/** What a mail has for the calendar: its invitation, or dates in its text. */
export function MailCalendar({ mail, caseField, onTaken }: MailCalendarProps) {
  if (mail.draftId !== null) return null;
  const { invitation } = mail;
  return invitation ? (
    <InvitationCard mail={mail} invitation={invitation} caseField={caseField} onTaken={onTaken} />
  ) : (
    <FoundDates mail={mail} caseField={caseField} />
  );
}

/** '9:30 AM' of '09:30'. */
function timeInWords(time: string): string {
  const at = new Date(`2000-01-01T${time}`);
  return at.toLocaleTimeString([], { hour: 'numeric', minute: '2-digit' });
}

/** Dates in the text, each of which a person checks in the filled form. */
function FoundDates({ mail, caseField }: Omit<MailCalendarProps, 'onTaken'>) {
  const today = useToday();
  const { id, message, subject, proposedCase } = mail;
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
          {found.time !== null && `, ${timeInWords(found.time)}`}
        </MailNote>
      ))}
      <Suspense fallback={null}>
        {chosen && (
          <EventDialog
            event={null}
            day={chosen.day}
            times={null}
            matter={proposedCase && { id: proposedCase.id, label: proposedCase.caseName }}
            found={{ ...chosen, subject, mailId: id, caseId: proposedCase?.id ?? '' }}
            caseField={caseField}
            onClose={() => setChosen(null)}
          />
        )}
      </Suspense>
    </>
  );
}
