import type { Intake } from '@matterdesk/contract/intakes.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { cx } from '../../../ui/cx.ts';
import { CheckMark } from './CheckMark.tsx';
import { DueMark } from './DueMark.tsx';
import { ResponseMark } from './ResponseMark.tsx';

interface IntakeCardProps {
  intake: Intake;
  now: Date;
  isOpen: boolean;
  onOpen: (id: string) => void;
}

/** Name, number and type, two lines of story, response, conflict check, and the next step. */
export function IntakeCard({ intake, now, isOpen, onOpen }: IntakeCardProps) {
  const { id, name, number, type, description, owner, nextStep, dueAt } = intake;
  return (
    <li>
      <button
        type="button"
        aria-current={isOpen || undefined}
        onClick={() => onOpen(id)}
        className={cx(
          'block w-full rounded-card border bg-surface p-3 text-left transition-colors hover:border-ink-3',
          isOpen ? 'border-accent ring-1 ring-accent' : 'border-line',
        )}
      >
        <span className="flex items-start justify-between gap-2">
          <span className="min-w-0 font-semibold wrap-anywhere">{name}</span>
          {owner && (
            <>
              <Avatar name={`${owner.firstName} ${owner.lastName}`} />
              <span className="sr-only">{`${owner.firstName} ${owner.lastName}`}</span>
            </>
          )}
        </span>
        <span className="block text-xs text-ink-2">{`${number} · ${type ?? 'Unknown'}`}</span>
        {description !== null && description !== '' && (
          <span className="mt-1 line-clamp-2 text-sm text-ink-2">{description}</span>
        )}
        <span className="mt-2 block space-y-0.5 border-t border-line pt-2">
          <ResponseMark intake={intake} now={now} />
          <CheckMark check={intake.check} />
        </span>
        <span className="mt-2 flex justify-between gap-2 border-t border-line pt-2 text-xs">
          <span className="truncate">{nextStep || 'No next step'}</span>
          <DueMark dueAt={dueAt} now={now} />
        </span>
      </button>
    </li>
  );
}
