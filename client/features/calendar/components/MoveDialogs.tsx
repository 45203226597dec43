import { useState } from 'react';
import type { SeriesScope } from '@matterdesk/contract/calendar.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogClose } from '../../../ui/Dialog.tsx';
import type { useMoves } from '../hooks/use-moves.ts';
import { GuestDialog } from './GuestDialog.tsx';
import { ScopeField } from './ScopeField.tsx';

/** The questions of a move: which events of a series it means, and whether guests are sent the change. */
export function MoveDialogs({ moves }: { moves: ReturnType<typeof useMoves> }) {
  const { asked, save, leave, question, closeQuestion } = moves;
  if (asked)
    return (
      <ScopeDialog
        title={asked.event.title}
        onSave={(scope) => void save(asked, scope)}
        onClose={leave}
      />
    );
  return question && <GuestDialog question={question} onClose={closeQuestion} />;
}

interface ScopeDialogProps {
  title: string;
  onSave: (scope: SeriesScope) => void;
  onClose: () => void;
}

/** Which events of a series a move means. */
function ScopeDialog({ title, onSave, onClose }: ScopeDialogProps) {
  const [scope, setScope] = useState<SeriesScope>('this');
  return (
    <Dialog
      open
      onClose={onClose}
      size="small"
      title={`Move “${title}”`}
      onSubmit={(event) => {
        event.preventDefault();
        onSave(scope);
      }}
      footer={
        <>
          <DialogClose />
          <Button type="submit" variant="primary">
            Move
          </Button>
        </>
      }
    >
      <ScopeField value={scope} onChange={setScope} />
    </Dialog>
  );
}
