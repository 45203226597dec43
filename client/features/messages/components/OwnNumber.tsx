import ChevronDown from 'lucide-react/icons/chevron-down';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { useState } from 'react';
import { keepInTab, keptInTab } from '../../../app/tab-storage.ts';
import { numberInWords } from '../rules.ts';
import { useNotice } from './use-notice.ts';

/** The number that one writes from, and why texts from it may not arrive yet. */
export function OwnNumber({ number }: { number: string }) {
  const notice = useNotice(number);
  return (
    <div className="text-note text-ink-2">
      <p>
        Your number{' '}
        <span className="font-medium text-ink tabular-nums">{numberInWords(number)}</span>
      </p>
      {notice !== null && <Notice>{notice}</Notice>}
    </div>
  );
}

const KEPT_AS = 'number-notice';
const FOLDED = 'folded';

/** It stays until somebody who has read it folds it away. */
function Notice({ children }: { children: string }) {
  const [isOpen] = useState(() => keptInTab(KEPT_AS) !== FOLDED);
  return (
    <details
      open={isOpen}
      onToggle={(event) => keepInTab(KEPT_AS, event.currentTarget.open ? 'open' : FOLDED)}
      className="group mt-1.5 rounded-small bg-amber-soft px-2 py-1.5 text-amber"
    >
      <summary className="flex cursor-pointer list-none items-center gap-1.5 font-medium">
        <TriangleAlert className="size-3.5!" />
        Texts may not arrive yet
        <ChevronDown className="ml-auto size-3.5! transition-transform group-open:rotate-180" />
      </summary>
      <p className="mt-1">{children}</p>
    </details>
  );
}
