import { useState } from 'react';
import type { Scope } from '@matterdesk/contract/calendar.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogClose } from '../../../ui/DialogClose.tsx';
import { ScopeField } from './ScopeField.tsx';

interface ScopeDialogProps {
  title: string;
  onSave: (scope: Scope) => void;
  onClose: () => void;
}

/** Which events of a series a move means. */
export function ScopeDialog({ title, onSave, onClose }: ScopeDialogProps) {
  const [scope, setScope] = useState<Scope>('this');
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
