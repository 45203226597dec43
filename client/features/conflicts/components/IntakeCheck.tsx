import { Link } from 'react-router';
import type { Check } from '@matterdesk/contract/conflicts.ts';
import type { IntakeCheckProps } from '../../../core/intake-check.ts';
import { paths } from '../../../core/paths.ts';
import { Pending } from '../../../core/Pending.tsx';
import { useMay } from '../../../core/store.ts';
import { useAttempt } from '../../../core/use-attempt.ts';
import { useResource } from '../../../core/use-resource.ts';
import { counted } from '../../../core/words.ts';
import { buttonClass, Button } from '../../../ui/Button.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { runCheck } from '../api.ts';
import { namesOfIntake, uncheckedNames } from '../rules.new.ts';
import { isUndecided, outcomeNames, placeInWords, worstFirst } from '../rules.ts';
import { checkOf } from '../slice.ts';
import { ConcludeEmptyCheck } from './ConcludeEmptyCheck.tsx';
import { SeverityMark } from './SeverityMark.tsx';

/** Hits shown in the panel; the check has them all. */
const SHOWN = 3;

/** Runs the conflict check of an intake, and shows what it found, without leaving the intake. */
export function IntakeCheck({ intake }: { intake: IntakeCheckProps }) {
  const names = namesOfIntake(intake);
  return intake.check === null ? (
    <>
      <RunButton intake={intake} isNext />
      <p className="mt-1.5 text-note text-ink-2">
        {`Compares ${counted(names.length, 'name')} with everything that the firm knows.`}
      </p>
    </>
  ) : (
    <FoundBy id={intake.check.id} intake={intake} />
  );
}

function RunButton({ intake, isNext }: { intake: IntakeCheckProps; isNext: boolean }) {
  const { isBusy, attempt } = useAttempt();
  const run = () => {
    const body = { names: namesOfIntake(intake), texts: false, intakeId: intake.id };
    void attempt(body, (idempotencyKey) => runCheck({ body, idempotencyKey }));
  };
  return (
    <Button variant={isNext ? 'primary' : 'default'} busy={isBusy} onClick={run}>
      {isNext ? 'Check for conflicts' : 'Check again'}
    </Button>
  );
}

function FoundBy({ id, intake }: { id: string; intake: IntakeCheckProps }) {
  const found = useResource(checkOf, id);
  if (!found.data)
    return (
      <Pending of={found} what="the conflict check">
        <Skeleton className="h-16 w-full" />
      </Pending>
    );
  return <Result check={found.data} intake={intake} />;
}

function Result({ check, intake }: { check: Check; intake: IntakeCheckProps }) {
  const mayDecide = useMay('clearConflicts');
  const { id, number, names, hits, concluded } = check;
  const missed = uncheckedNames(intake, check);
  const shown = worstFirst(hits).slice(0, SHOWN);
  const left = hits.filter((hit) => isUndecided(check, hit)).length;
  const isOpen = concluded === null;
  return (
    <div className="space-y-2">
      {hits.length === 0 && <p>{`No match for ${counted(names.length, 'name')}.`}</p>}
      <ul className="space-y-1.5">
        {shown.map((hit) => (
          <li key={hit.id} className="flex items-start gap-2">
            <SeverityMark severity={hit.severity} />
            <span className="min-w-0 wrap-anywhere">
              {placeInWords(hit, names[hit.name]?.name ?? '')}
            </span>
          </li>
        ))}
      </ul>
      {hits.length > shown.length && (
        <p className="text-note text-ink-2">{`and ${hits.length - shown.length} more`}</p>
      )}
      {concluded && (
        <p className="wrap-anywhere">{`${outcomeNames[concluded.outcome]}: ${concluded.reason}`}</p>
      )}
      {missed.length > 0 && <p className="text-amber">{`Not checked yet: ${missed.join(', ')}`}</p>}
      <div className="flex flex-wrap items-center gap-2">
        {missed.length > 0 && <RunButton intake={intake} isNext={false} />}
        {isOpen && mayDecide && hits.length === 0 && missed.length === 0 ? (
          <ConcludeEmptyCheck check={check} />
        ) : (
          isOpen &&
          mayDecide && (
            <Link to={paths.conflict(id)} className={buttonClass({ variant: 'primary' })}>
              {left > 0 ? `Decide ${counted(left, 'hit')}` : 'Conclude the check'}
            </Link>
          )
        )}
        <Link to={paths.conflict(id)} className="link text-note">
          {`Conflict check ${number}`}
        </Link>
      </div>
      {isOpen && !mayDecide && (
        <p className="text-note text-ink-2">Someone who may clear conflicts concludes it.</p>
      )}
    </div>
  );
}
