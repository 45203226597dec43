import Hourglass from 'lucide-react/icons/hourglass';
import Lock from 'lucide-react/icons/lock';
import type { MouseEvent, ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { type Case, NOT_FILED } from '@matterdesk/contract/cases.ts';
import { paths } from '../../../core/paths.ts';
import { Chip } from '../../../ui/Chip.tsx';
import { useToday } from '../../../ui/days.ts';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { Tabs } from '../../../ui/Tabs.tsx';
import { Trail } from '../../../ui/Trail.tsx';
import { type CaseTab, caseTabs, PANEL } from '../rules.tabs.ts';
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
        trail={<CaseTrail caseNo={matter.caseNo ?? NOT_FILED} />}
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
  const limitation = limitationOf(matter, useToday());
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
function CaseTrail({ caseNo }: { caseNo: string }) {
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
    <Trail
      places={[{ to: paths.matters, label: 'Matters', onClick: handleClick }, { label: caseNo }]}
    />
  );
}
