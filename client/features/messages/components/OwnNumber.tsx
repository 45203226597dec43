import type { RegistrationState } from '@matterdesk/contract/messages.ts';
import ChevronDown from 'lucide-react/icons/chevron-down';
import CircleCheck from 'lucide-react/icons/circle-check';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { useState } from 'react';
import { keepInTab, keptInTab } from '../../../core/tab-storage.ts';
import { useResource } from '../../../core/use-resource.ts';
import { cx } from '../../../ui/cx.ts';
import { ownNumber } from '../api.ts';
import { numberInWords } from '../rules.ts';

const words: Record<RegistrationState, string> = {
  registered: 'Registered',
  inReview: 'Registration in review',
  rejected: 'Registration rejected',
  missing: 'Not registered',
};

/** The user's number, its registration state, and why its texts may not arrive yet. */
export function OwnNumber({ number }: { number: string }) {
  const { data } = useResource(ownNumber, number);
  const { registration = null, notice = null } = data ?? {};
  return (
    <div className="text-note text-ink-2">
      <p className="flex flex-wrap items-center gap-x-1.5">
        Your number{' '}
        <span className="font-medium text-ink tabular-nums">{numberInWords(number)}</span>
        {registration === 'registered' && (
          <span
            title="Carriers in the US deliver texts from this number"
            className="inline-flex items-center gap-1 text-green"
          >
            <CircleCheck className="size-3.5!" />
            {words.registered}
          </span>
        )}
      </p>
      {notice !== null && (
        <Notice
          isBad={registration === 'rejected' || registration === 'missing'}
          title={
            registration === null || registration === 'registered'
              ? 'Texts may not arrive yet'
              : words[registration]
          }
        >
          {notice}
        </Notice>
      )}
    </div>
  );
}

const KEPT_AS = 'number-notice';
const FOLDED = 'folded';

interface NoticeProps {
  title: string;
  /** Whether texts in the US are blocked until someone acts. */
  isBad: boolean;
  children: string;
}

/** A notice that stays open until the user collapses it. */
function Notice({ title, isBad, children }: NoticeProps) {
  const [isOpen] = useState(() => keptInTab(KEPT_AS) !== FOLDED);
  return (
    <details
      open={isOpen}
      onToggle={(event) => keepInTab(KEPT_AS, event.currentTarget.open ? 'open' : FOLDED)}
      className={cx(
        'group mt-1.5 rounded-small px-2 py-1.5',
        isBad ? 'bg-red-soft text-red' : 'bg-amber-soft text-amber',
      )}
    >
      <summary className="flex cursor-pointer list-none items-center gap-1.5 font-medium">
        <TriangleAlert className="size-3.5!" />
        {title}
        <ChevronDown className="ml-auto size-3.5! transition-transform group-open:rotate-180" />
      </summary>
      <p className="mt-1">{children}</p>
    </details>
  );
}
