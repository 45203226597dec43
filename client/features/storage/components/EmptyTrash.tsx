import Trash2 from 'lucide-react/icons/trash-2';
import { useState } from 'react';
import { CallError } from '../../../api.ts';
import { Button } from '../../../ui/Button.tsx';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { sizeInWords } from '../../../ui/size-in-words.ts';
import { emptyTrash } from '../api.ts';

/** Removes all deleted files for good, after asking. */
export function EmptyTrash({ trash, onEmptied }: { trash: number; onEmptied: () => void }) {
  const [state, setState] = useState<'idle' | 'asking' | 'emptying'>('idle');
  const handleConfirm = async () => {
    setState('emptying');
    try {
      await emptyTrash();
      onEmptied();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
    } finally {
      setState('idle');
    }
  };
  return (
    <>
      <Button icon={Trash2} onClick={() => setState('asking')}>
        Empty trash
      </Button>
      <ConfirmDialog
        open={state !== 'idle'}
        title="Empty the trash?"
        confirmLabel="Empty trash"
        busy={state === 'emptying'}
        onClose={() => setState('idle')}
        onConfirm={() => void handleConfirm()}
      >
        {`All deleted files, ${sizeInWords(trash)}, are removed for good, those of every matter. No one can restore them.`}
      </ConfirmDialog>
    </>
  );
}
