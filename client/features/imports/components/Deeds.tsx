import type { LucideIcon } from 'lucide-react';
import Minus from 'lucide-react/icons/minus';
import Equal from 'lucide-react/icons/equal';
import StickyNote from 'lucide-react/icons/sticky-note';
import Plus from 'lucide-react/icons/plus';
import UserRoundX from 'lucide-react/icons/user-round-x';
import type { Import } from '@matterdesk/contract/imports.ts';
import { deedsOf } from '../rules.ts';
import { unmatchedKinds } from '../rules.columns.ts';

type Sign = ReturnType<typeof deedsOf>[number]['sign'];

const icons: Record<Sign, LucideIcon> = {
  new: Plus,
  same: Equal,
  refused: Minus,
  note: StickyNote,
  person: UserRoundX,
};

/** 'What Move in will do', or has done. */
export function Deeds({ of, className }: { of: Import; className?: string }) {
  return (
    <section aria-labelledby="import-deeds" className={className}>
      <h2 id="import-deeds" className="text-heading font-semibold">
        {of.state === 'done' ? 'What Move in did' : 'What Move in will do'}
      </h2>
      <ul className="mt-2 space-y-1">
        {deedsOf(of, unmatchedKinds(of)).map(({ sign, text }) => {
          const Icon = icons[sign];
          return (
            <li key={sign} className="flex gap-2.5 text-sm text-ink-2">
              <Icon className="mt-px text-ink-3" />
              <span>{text}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
