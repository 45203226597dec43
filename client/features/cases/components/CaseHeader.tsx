import type { ReactNode } from 'react';
import { type Case, NOT_FILED } from '@matterdesk/contract/cases.ts';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { Tabs } from '../../../ui/Tabs.tsx';
import { type CaseTab, caseTabs, PANEL } from '../rules.tabs.ts';
import { CaseChips } from './CaseChips.tsx';
import { CaseTrail } from './CaseTrail.tsx';

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
