import { useState } from 'react';
import type { Task } from '@matterdesk/contract/tasks.ts';
import { CallError } from '../../../api.ts';
import { Button } from '../../../ui/Button.tsx';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { deleteTask } from '../api.ts';
import { removeCard } from './use-moves.ts';

/** Deletes a task, after asking. */
export function DeleteTask({ task, onDeleted }: { task: Task; onDeleted: () => void }) {
  const [state, setState] = useState<'idle' | 'asking' | 'deleting'>('idle');
  const handleConfirm = async () => {
    setState('deleting');
    try {
      await deleteTask(task.id);
      onDeleted();
      removeCard(task);
    } catch (error) {
      setState('idle');
      if (!(error instanceof CallError)) throw error;
    }
  };
  return (
    <>
      <Button
        variant="quiet"
        className="text-red not-disabled:hover:text-red"
        onClick={() => setState('asking')}
      >
        Delete
      </Button>
      <ConfirmDialog
        open={state !== 'idle'}
        title="Delete this task?"
        confirmLabel="Delete"
        busy={state === 'deleting'}
        onClose={() => setState('idle')}
        onConfirm={() => void handleConfirm()}
      >
        {`${task.name} goes from the board, for everybody.`}
      </ConfirmDialog>
    </>
  );
}
