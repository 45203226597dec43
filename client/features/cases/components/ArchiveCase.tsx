import type { Case } from '@matterdesk/contract/cases.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { useChangeCase } from '../hooks/use-change-case.ts';

/** Asks before archiving a case. */
export function ArchiveCase({ matter, onClose }: { matter: Case; onClose: () => void }) {
  const { isBusy, change } = useChangeCase(matter.id);
  const handleConfirm = async () => {
    const refused = await change({ statusType: 'Archive' });
    if (!refused) onClose();
  };
  return (
    <ConfirmDialog
      open
      tone="primary"
      title="Archive this case?"
      confirmLabel="Archive"
      busy={isBusy}
      onClose={onClose}
      onConfirm={() => void handleConfirm()}
    >
      {`${matter.caseName} moves to Archive, and Days Open stops counting. You can reopen it at any time.`}
    </ConfirmDialog>
  );
}
