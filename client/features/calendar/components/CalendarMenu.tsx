import CalendarPlus from 'lucide-react/icons/calendar-plus';
import Ellipsis from 'lucide-react/icons/ellipsis';
import Rss from 'lucide-react/icons/rss';
import { lazy, Suspense, useState } from 'react';
import type { CaseField } from '../../../core/case-field.ts';
import { MenuButton } from '../../../ui/MenuButton.tsx';

const FeedsDialog = lazy(async () => ({
  default: (await import('./FeedsDialog.tsx')).FeedsDialog,
}));
const EventImport = lazy(async () => ({
  default: (await import('./EventImport.tsx')).EventImport,
}));

/** What the calendar exchanges with other programs. */
export function CalendarMenu({ caseField }: { caseField: CaseField }) {
  const [open, setOpen] = useState<'feeds' | 'import' | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <MenuButton
        label="Other calendars"
        icon={Ellipsis}
        entries={[
          { label: 'Subscribe…', icon: Rss, onSelect: () => setOpen('feeds') },
          { label: 'Import a file…', icon: CalendarPlus, onSelect: () => setOpen('import') },
        ]}
      />
      <Suspense>
        {open === 'feeds' && <FeedsDialog onClose={close} />}
        {open === 'import' && <EventImport caseField={caseField} onClose={close} />}
      </Suspense>
    </>
  );
}
