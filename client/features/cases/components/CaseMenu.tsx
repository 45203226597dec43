import Archive from 'lucide-react/icons/archive';
import ArchiveRestore from 'lucide-react/icons/archive-restore';
import Ellipsis from 'lucide-react/icons/ellipsis';
import Flag from 'lucide-react/icons/flag';
import Lock from 'lucide-react/icons/lock';
import Package from 'lucide-react/icons/package';
import Pencil from 'lucide-react/icons/pencil';
import SquareKanban from 'lucide-react/icons/square-kanban';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import type { Case } from '@matterdesk/contract/cases.ts';
import { paths } from '../../../core/paths.ts';
import type { MenuEntry } from '../../../ui/Menu.tsx';
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
  /** Only readers lack the entries that change the case. */
  canChange: boolean;
  onAccess: () => void;
  /** Undefined for users who may not export. */
  onExport: (() => void) | undefined;
}

/** Ways from a case and the actions on it. */
export function CaseMenu({ matter, edit, canChange, onAccess, onExport }: CaseMenuProps) {
  const navigate = useNavigate();
  const [opened, setOpened] = useState<'archive' | null>(null);
  const { isBusy, change } = useChangeCase(matter.id);
  const close = () => setOpened(null);
  useEffect(() => {
    // Preloaded so that the dialogs open at once.
    if (canChange) void Promise.all([loadEdit(), loadArchive()]).catch(() => undefined);
  }, [canChange]);
  const toggle =
    matter.statusType === 'Active'
      ? { label: 'Archive', icon: Archive, onSelect: () => setOpened('archive') }
      : {
          label: 'Reopen',
          icon: ArchiveRestore,
          onSelect: () => void change({ statusType: 'Active' }),
        };
  const changes: MenuEntry[] = [
    'line',
    { label: 'Edit', icon: Pencil, onSelect: () => edit.open('') },
    { ...toggle, disabled: isBusy },
  ];
  const deadlines = `${paths.calendar}?view=deadlines&case=${matter.id}`;
  return (
    <>
      <MenuButton
        label="More actions"
        icon={Ellipsis}
        entries={[
          {
            label: 'Board',
            icon: SquareKanban,
            onSelect: () => void navigate(paths.tasksOf(matter.id)),
          },
          { label: 'Deadlines', icon: Flag, onSelect: () => void navigate(deadlines) },
          { label: 'Access', icon: Lock, onSelect: onAccess },
          ...(onExport ? [{ label: 'Export matter', icon: Package, onSelect: onExport }] : []),
          ...(canChange ? changes : []),
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
