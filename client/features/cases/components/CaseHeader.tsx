import ChevronRight from 'lucide-react/icons/chevron-right';
import Hourglass from 'lucide-react/icons/hourglass';
import Lock from 'lucide-react/icons/lock';
import type { MouseEvent, ReactNode } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { type Case, NOT_FILED } from '@matterdesk/contract/cases.ts';
import { paths } from '../../../core/paths.ts';
import { Chip } from '../../../ui/Chip.tsx';
import { useToday } from '../../../ui/days.ts';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { Tabs } from '../../../ui/Tabs.tsx';
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
    <nav aria-label="Breadcrumb">
      <ol className="flex items-center gap-1.5">
        <li>
          <Link
            to={paths.matters}
            onClick={handleClick}
            className="inline-flex min-h-6 items-center underline-offset-3 hover:text-ink hover:underline"
          >
            Matters
          </Link>
        </li>
        <li className="flex min-w-0 items-center gap-1.5" aria-current="page">
          <ChevronRight className="size-3.5!" />
          <span className="truncate tabular-nums">{caseNo}</span>
        </li>
      </ol>
    </nav>
  );
}
