import type { IntakeOfContact } from '@matterdesk/contract/contacts.ts';
import { Link } from 'react-router';
import { paths } from '../../../core/paths.ts';
import { formatDay, localDay } from '../../../ui/days.ts';
import { CountedHeading } from './CountedHeading.tsx';

/** Intakes of a contact, and the matters that they became. */
export function ContactIntakes({ intakes }: { intakes: readonly IntakeOfContact[] }) {
  if (intakes.length === 0) return null;
  return (
    <section>
      <CountedHeading count={intakes.length}>Intakes</CountedHeading>
      <ul className="border-t border-line">
        {intakes.map(({ id, number, name, description, receivedAt, case: matter }) => (
          <li
            key={id}
            className="flex min-h-10 flex-wrap items-center gap-x-3 border-b border-line py-2"
          >
            <span className="text-ink-3 tabular-nums">{number}</span>
            <Link
              to={paths.intake(id)}
              className="min-w-0 grow truncate font-medium hover:underline"
            >
              {description.split('\n')[0] || name}
            </Link>
            <span className="flex-none text-sm text-ink-2">
              {matter && (
                <>
                  {'became '}
                  <Link to={paths.caseDetails(matter.id)} className="link">
                    {matter.caseName}
                  </Link>
                </>
              )}
            </span>
            <time dateTime={receivedAt} className="flex-none text-sm text-ink-3">
              {formatDay(localDay(new Date(receivedAt)))}
            </time>
          </li>
        ))}
      </ul>
    </section>
  );
}
