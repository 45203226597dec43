// Components of the matter pages: table, dialogs, import, activity.

import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogClose } from '../../../ui/DialogClose.tsx';
import type { Story } from '../rules.story.ts';
import { ActivityEntry } from './ActivityEntry.tsx';
import { useNow } from '../../../core/use-now.ts';

interface ActivityDialogProps {
  caseId: string;
  caseName: string;
  story: Story;
  failure: string | null;
  isReading: boolean;
  onOlder: () => void;
  onClose: () => void;
}

/** All activity of a case, newest first. */
export function ActivityDialog(props: ActivityDialogProps) {
  const { caseId, caseName, story, failure, isReading, onOlder, onClose } = props;
  const now = useNow();
  return (
    <Dialog
      open
      onClose={onClose}
      title="Activity"
      subtitle={caseName}
      footer={
        <>
          <DialogClose />
          {story.nextCursor !== null && (
            <Button busy={isReading} onClick={onOlder}>
              Show older
            </Button>
          )}
        </>
      }
    >
      <ul className="grid gap-4">
        {story.entries.map((entry) => (
          <ActivityEntry key={entry.id} entry={entry} caseId={caseId} now={now} isWhole />
        ))}
      </ul>
      {failure !== null && (
        <p role="alert" className="mt-3 text-sm text-red">
          {failure}
        </p>
      )}
    </Dialog>
  );
}
