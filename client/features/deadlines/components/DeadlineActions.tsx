import type { Deadline } from '@matterdesk/contract/deadlines.ts';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { acknowledge } from '../api.ts';
import { type Reader, waitsForOwner } from '../rules.ts';

const ChangeDialog = lazy(async () => ({
  default: (await import('./ChangeDialog.tsx')).ChangeDialog,
}));

/** What the reader can do besides verifying and deciding. */
export function DeadlineActions({ deadline, reader }: { deadline: Deadline; reader: Reader }) {
  const [isChanging, setIsChanging] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const { hard, owner, pending } = deadline;
  const mayChange = hard || owner?.id === reader.id || reader.editsCalendar;
  const handleAcknowledge = () => {
    setIsBusy(true);
    void acknowledge(deadline.id)
      .catch(() => undefined)
      .finally(() => setIsBusy(false));
  };
  return (
    <div className="mt-4 flex flex-wrap gap-2 empty:hidden">
      {waitsForOwner(deadline, reader) && (
        <Button busy={isBusy} onClick={handleAcknowledge}>
          Acknowledge
        </Button>
      )}
      {mayChange && !pending && (
        <Button onClick={() => setIsChanging(true)}>{hard ? 'Propose a change' : 'Change'}</Button>
      )}
      {isChanging && (
        <Suspense fallback={null}>
          <ChangeDialog deadline={deadline} onClose={() => setIsChanging(false)} />
        </Suspense>
      )}
    </div>
  );
}
