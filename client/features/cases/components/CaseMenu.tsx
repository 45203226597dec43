import Archive from 'lucide-react/icons/archive';
import ArchiveRestore from 'lucide-react/icons/archive-restore';
import Ellipsis from 'lucide-react/icons/ellipsis';
import Pencil from 'lucide-react/icons/pencil';
import { lazy, Suspense, useState } from 'react';
import type { Case } from '@matterdesk/contract/cases.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { MenuButton } from '../../../ui/MenuButton.tsx';
import { useChangeCase } from './use-change-case.ts';

const EditCaseDialog = lazy(async () => ({
  default: (await import('./EditCaseDialog.tsx')).EditCaseDialog,
}));

/** What those who may open cases can do with one. */
export function CaseMenu({ one }: { one: Case }) {
  const [opened, setOpened] = useState<'edit' | 'archive' | null>(null);
  const { isBusy, change } = useChangeCase(one.id);
  const close = () => setOpened(null);
  const toggle =
    one.statusType === 'Active'
      ? { label: 'Archive', icon: Archive, onSelect: () => setOpened('archive') }
      : {
          label: 'Reopen',
          icon: ArchiveRestore,
          onSelect: () => void change({ statusType: 'Active' }),
        };
  return (
    <>
      <MenuButton
        label="More actions"
        icon={Ellipsis}
        entries={[
          { label: 'Edit', icon: Pencil, onSelect: () => setOpened('edit') },
          { ...toggle, disabled: isBusy },
        ]}
      />
      <ConfirmDialog
        open={opened === 'archive'}
        tone="primary"
        title="Archive this case?"
        confirmLabel="Archive"
        busy={isBusy}
        onClose={close}
        onConfirm={() =>
          void change({ statusType: 'Archive' }).then((refused) => !refused && close())
        }
      >
        {`${one.caseName} leaves the active matters, and its open days stand still. You can reopen it at any time.`}
      </ConfirmDialog>
      <Suspense>{opened === 'edit' && <EditCaseDialog one={one} onClose={close} />}</Suspense>
    </>
  );
}
