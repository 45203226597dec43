import Archive from 'lucide-react/icons/archive';
import ArchiveRestore from 'lucide-react/icons/archive-restore';
import Ellipsis from 'lucide-react/icons/ellipsis';
import Pencil from 'lucide-react/icons/pencil';
import { lazy, Suspense, useEffect, useState } from 'react';
import type { Case } from '@matterdesk/contract/cases.ts';
import { MenuButton } from '../../../ui/MenuButton.tsx';
import { useChangeCase } from '../hooks/use-change-case.ts';

const loadEdit = () => import('./EditCaseDialog.tsx');
const loadArchive = () => import('./ArchiveCase.tsx');
const EditCaseDialog = lazy(async () => ({ default: (await loadEdit()).EditCaseDialog }));
const ArchiveCase = lazy(async () => ({ default: (await loadArchive()).ArchiveCase }));

/** The actions on a case, for users who may create cases. */
export function CaseMenu({ matter }: { matter: Case }) {
  const [opened, setOpened] = useState<'edit' | 'archive' | null>(null);
  const { isBusy, change } = useChangeCase(matter.id);
  const close = () => setOpened(null);
  useEffect(() => {
    // Preloaded so that the dialogs open at once.
    void Promise.all([loadEdit(), loadArchive()]).catch(() => undefined);
  }, []);
  const toggle =
    matter.statusType === 'Active'
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
      <Suspense>
        {opened === 'edit' && <EditCaseDialog matter={matter} onClose={close} />}
        {opened === 'archive' && <ArchiveCase matter={matter} onClose={close} />}
      </Suspense>
    </>
  );
}
