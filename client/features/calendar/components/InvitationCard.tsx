import CalendarClock from 'lucide-react/icons/calendar-clock';
import { useState } from 'react';
import { Link } from 'react-router';
import type { MailInvitation } from '@matterdesk/contract/mail-invitations.ts';
import type { MailDetail } from '@matterdesk/contract/mails.ts';
import type { CaseField } from '../../../core/case-field.ts';
import { paths } from '../../../core/paths.ts';
import { Button } from '../../../ui/Button.tsx';
import { localDay } from '../../../ui/days.ts';
import { formatTime, fullDay } from '../rules.ts';
import { InvitationDialog } from './InvitationDialog.tsx';
import { MailNote } from './MailNote.tsx';
import { useTaking } from './use-taking.ts';

interface InvitationCardProps {
  mail: MailDetail;
  invitation: MailInvitation;
  caseField: CaseField;
  onTaken: () => void;
}

const verbs = { update: 'Update event', cancel: 'Cancel event' } as const;

/** The invitation in a mail. Nothing is taken without a click. */
export function InvitationCard({ mail, invitation, caseField, onTaken }: InvitationCardProps) {
  const [isAdding, setIsAdding] = useState(false);
  const { isBusy, take } = useTaking(mail.id, onTaken);
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
