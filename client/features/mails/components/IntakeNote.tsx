import Inbox from 'lucide-react/icons/inbox';
import { useContext } from 'react';
import { Link } from 'react-router';
import type { MailDetail } from '@matterdesk/contract/mails.ts';
import { IntakesContext } from '../../../core/make-intake.ts';
import { paths } from '../../../core/paths.ts';

/** The way to the intake that the sender has already. */
export function IntakeNote({ mail }: { mail: MailDetail }) {
  const intakes = useContext(IntakesContext);
  if (!intakes || mail.from === null || mail.draftId !== null) return null;
  return (
    <intakes.Made address={mail.from.email} since={mail.date}>
      {(id) =>
        id !== null && (
          <p className="mt-4 flex items-center gap-2 rounded-card bg-accent-soft px-2.5 py-2 text-sm text-accent-ink">
            <Inbox />
            <Link
              to={paths.intake(id)}
              className="font-semibold underline-offset-3 hover:underline"
            >
              Intake made
            </Link>
          </p>
        )
      }
    </intakes.Made>
  );
}
