import type { ReactNode } from 'react';
import { type Case, MOST_COUNTED, NOT_FILED } from '@matterdesk/contract/cases.ts';
import { useAppSelector } from '../../../core/store.ts';
import { formatCount } from '../../../core/words.ts';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { Tabs } from '../../../ui/Tabs.tsx';
import { libraryOf } from '../../files/slice.ts';
import { type CaseTab, caseTabs, PANEL } from '../rules.tabs.ts';
import { CaseChips } from './CaseChips.tsx';
import { CaseTrail } from './CaseTrail.tsx';

interface CaseHeaderProps {
  matter: Case;
  tab: CaseTab;
  onTab: (tab: CaseTab) => void;
  actions: ReactNode;
}

/** The name of a matter, its chips and its tabs, which stay while the page scrolls. */
export function CaseHeader({ matter, tab, onTab, actions }: CaseHeaderProps) {
  const counts = useCounts(matter);
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

/** Counts of what is known without asking for it. */
function useCounts({ id, fileCount }: Case): Partial<Record<CaseTab, string | undefined>> {
  const held = useAppSelector(({ files }) => libraryOf(files, id)?.details);
  const files = held ? Object.keys(held).length : fileCount;
  return {
    files: files === undefined ? undefined : inWords(files, held ? Infinity : MOST_COUNTED),
  };
}

function inWords(count: number, most: number): string {
  return count >= most ? `${formatCount(most - 1)}+` : formatCount(count);
}
