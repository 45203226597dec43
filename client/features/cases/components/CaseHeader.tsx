import Archive from 'lucide-react/icons/archive';
import ArchiveRestore from 'lucide-react/icons/archive-restore';
import Ellipsis from 'lucide-react/icons/ellipsis';
import Flag from 'lucide-react/icons/flag';
import Hourglass from 'lucide-react/icons/hourglass';
import Lock from 'lucide-react/icons/lock';
import Package from 'lucide-react/icons/package';
import Pencil from 'lucide-react/icons/pencil';
import SquareKanban from 'lucide-react/icons/square-kanban';
import { type MouseEvent, type ReactNode, useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { type Case, NOT_FILED } from '@matterdesk/contract/cases.ts';
import { lazyNamed } from '../../../core/chunks.ts';
import { paths } from '../../../core/paths.ts';
import { useFirmDay } from '../../../core/use-firm.ts';
import { Breadcrumbs } from '../../../ui/Breadcrumbs.tsx';
import { Chip } from '../../../ui/Chip.tsx';
import { type MenuEntry, MenuButton } from '../../../ui/Menu.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { Tabs } from '../../../ui/Tabs.tsx';
import { useChangeCase } from '../hooks/use-change-case.ts';
import { type CaseTab, caseTabs, PANEL } from '../hooks/use-matter-address.ts';
import { limitationOf } from '../rules.ts';

interface CaseHeaderProps {
  matter: Case;
  tab: CaseTab;
  counts: Partial<Record<CaseTab, string | undefined>>;
  onTab: (tab: CaseTab) => void;
  actions: ReactNode;
}

/** The name of a matter, its chips and its tabs, which stay while the page scrolls. */
export function CaseHeader({ matter, tab, counts, onTab, actions }: CaseHeaderProps) {
  return (
    <div className="matter-header">
      <PageHeader
        title={matter.caseName}
        trail={<CaseBreadcrumbs caseNo={matter.caseNo ?? NOT_FILED} />}
        actions={actions}
      >
        <CaseChips matter={matter} />
      </PageHeader>
      <div className="matter-tabs mt-3">
        <Tabs
          label="Parts of this matter"
          panelId={PANEL}
          value={tab}
          tabs={caseTabs.map((each) => ({ ...each, count: counts[each.value] }))}
          onChange={(value) => onTab(value as CaseTab)}
        />
      </div>
    </div>
  );
}

/** The most important facts of a case. */
function CaseChips({ matter }: { matter: Case }) {
  const limitation = limitationOf(matter, useFirmDay());
  return (
    <span className="flex flex-wrap gap-2 pt-0.5">
      <Chip tone={matter.statusType === 'Active' ? 'accent' : 'neutral'} dot>
        {matter.statusType}
      </Chip>
      <Chip>{matter.status}</Chip>
      <Chip>{matter.type}</Chip>
      {matter.access !== undefined && (
        <Chip icon={Lock}>{matter.access === 'restricted' ? 'Restricted' : 'Screened'}</Chip>
      )}
      {limitation && (
        <Chip tone={limitation.tone} icon={Hourglass}>{`SOL ${limitation.words}`}</Chip>
      )}
    </span>
  );
}

/** The link back to the list, which restores the scroll position when possible. */
function CaseBreadcrumbs({ caseNo }: { caseNo: string }) {
  const location = useLocation();
  const navigate = useNavigate();
  const state = location.state as { isFromMatters?: boolean } | null;
  const handleClick = (event: MouseEvent) => {
    const isOwn = event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0;
    if (isOwn || !state?.isFromMatters) return;
    event.preventDefault();
    void navigate(-1);
  };
  return (
    <Breadcrumbs
      places={[{ to: paths.matters, label: 'Matters', onClick: handleClick }, { label: caseNo }]}
    />
  );
}

const loadEdit = () => import('./EditCaseDialog.tsx');
const loadArchive = () => import('./ArchiveCase.tsx');
const EditCaseDialog = lazyNamed(loadEdit, 'EditCaseDialog');
const ArchiveCase = lazyNamed(loadArchive, 'ArchiveCase');

interface CaseMenuProps {
  matter: Case;
  /** The dialog 'Edit case' in the address, with the field that it begins with. */
  edit: { first: string | null; open: (first: string) => void; close: () => void };
  /** Whether the menu offers the actions that change the case. */
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
      {edit.first !== null && (
        <EditCaseDialog matter={matter} first={edit.first || undefined} onClose={edit.close} />
      )}
      {opened === 'archive' && <ArchiveCase matter={matter} onClose={close} />}
    </>
  );
}
