import Hourglass from 'lucide-react/icons/hourglass';
import Lock from 'lucide-react/icons/lock';
import type { Case } from '@matterdesk/contract/cases.ts';
import { Chip } from '../../../ui/Chip.tsx';
import { useToday } from '../../../ui/days.ts';
import { limitationOf } from '../rules.ts';

/** The most important facts of a case. */
export function CaseChips({ matter }: { matter: Case }) {
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
