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

interface CaseMenuProps {
  matter: Case;
  /** The dialog 'Edit case' in the address, with the field that it begins with. */
  edit: { first: string | null; open: (first: string) => void; close: () => void };
}

/** The actions on a case, for users who may create cases. */
export function CaseMenu({ matter, edit }: CaseMenuProps) {
  const [opened, setOpened] = useState<'archive' | null>(null);
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
          { label: 'Edit', icon: Pencil, onSelect: () => edit.open('') },
          { ...toggle, disabled: isBusy },
        ]}
      />
      <Suspense>
        {edit.first !== null && (
          <EditCaseDialog matter={matter} first={edit.first || undefined} onClose={edit.close} />
        )}
        {opened === 'archive' && <ArchiveCase matter={matter} onClose={close} />}
      </Suspense>
    </>
  );
}
