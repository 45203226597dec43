import Hourglass from 'lucide-react/icons/hourglass';
import type { Case } from '@matterdesk/contract/cases.ts';
import { Chip } from '../../../ui/Chip.tsx';
import { useToday } from '../../../ui/days.ts';
import { limitationOf } from '../rules.ts';

/** What one must know of a case at first sight. */
export function CaseChips({ one }: { one: Case }) {
  const limitation = limitationOf(one, useToday());
  return (
    <span className="flex flex-wrap gap-2 pt-0.5">
      <Chip tone={one.statusType === 'Active' ? 'accent' : 'neutral'} dot>
        {one.statusType}
      </Chip>
      <Chip>{one.status}</Chip>
      <Chip>{one.type}</Chip>
      {limitation && (
        <Chip tone={limitation.tone} icon={Hourglass}>{`SOL ${limitation.words}`}</Chip>
      )}
    </span>
  );
}
