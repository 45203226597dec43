import type { DeadlineWithHistory } from '@matterdesk/contract/deadlines.ts';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router';
import { paths } from '../../../core/paths.ts';
import { useAttempt } from '../../../core/use-attempt.ts';
import { Button } from '../../../ui/Button.tsx';
import { buttonClass } from '../../../ui/button-class.ts';
import { acknowledge } from '../api.ts';
import { mayCorrect, type Reader, waitsForOwner } from '../rules.ts';

const ChangeDialog = lazy(async () => ({
  default: (await import('./ChangeDialog.tsx')).ChangeDialog,
}));
const CorrectDialog = lazy(async () => ({
  default: (await import('./CorrectDialog.tsx')).CorrectDialog,
}));
const EditDialog = lazy(async () => ({
  default: (await import('./EditDialog.tsx')).EditDialog,
}));

interface DeadlineActionsProps {
  deadline: DeadlineWithHistory;
  reader: Reader;
}

/** The reader's actions besides verifying and deciding. */
export function DeadlineActions({ deadline, reader }: DeadlineActionsProps) {
  const [opened, setOpened] = useState<'change' | 'correct' | 'edit' | null>(null);
  const { isBusy, attempt } = useAttempt();
  const { hard, owner, pending } = deadline;
  const canEditDeadline = owner?.id === reader.id || reader.editsCalendar;
  const params = { id: deadline.id };
  const shown = { deadline, onClose: () => setOpened(null) };
  return (
    <div className="mt-4 flex flex-wrap gap-2 empty:hidden">
      {waitsForOwner(deadline, reader) && (
        <Button busy={isBusy} onClick={() => void attempt(params, () => acknowledge({ params }))}>
          Acknowledge
        </Button>
      )}
      {(hard || canEditDeadline) && !pending && (
        <Button onClick={() => setOpened('change')}>{hard ? 'Propose a change' : 'Change'}</Button>
      )}
      {mayCorrect(deadline, reader) && (
        <Button onClick={() => setOpened('correct')}>Correct the date</Button>
      )}
      {canEditDeadline && <Button onClick={() => setOpened('edit')}>Edit</Button>}
      {deadline.case && deadline.status !== 'vacated' && (
        <Link
          className={buttonClass()}
          to={`${paths.calendar}?view=deadlines&deadline=${deadline.id}&apply=deadline:${deadline.id}`}
        >
          Count from it
        </Link>
      )}
      <Suspense fallback={null}>
        {opened === 'change' && <ChangeDialog {...shown} />}
        {opened === 'correct' && <CorrectDialog {...shown} />}
        {opened === 'edit' && <EditDialog {...shown} />}
      </Suspense>
    </div>
  );
}
