import { useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { SectionHeading } from '../../../ui/SectionHeading.tsx';
import type { BriefCase } from '../rules.ts';
import { LimitationList } from './LimitationList.tsx';
import { Timeline } from './Timeline.tsx';

interface LimitationsProps {
  limitations: readonly BriefCase[];
  /** The total number; the list may be shorter. */
  total: number;
  today: string;
}

/** Upcoming statutes of limitations: a timeline where it fits, else a list. */
export function Limitations({ limitations, total, today }: LimitationsProps) {
  const [isList, setIsList] = useState(false);
  if (limitations.length === 0)
    return (
      <>
        <SectionHeading>Statutes of limitations, next 90 days</SectionHeading>
        <p className="text-ink-2">None in the next 90 days.</p>
      </>
    );
  return (
    <>
      <SectionHeading
        aside={
          <Button
            variant="quiet"
            size="small"
            onClick={() => setIsList(!isList)}
            className="-my-1 -mr-2 max-sm:hidden"
          >
            {isList ? 'Show as timeline' : 'Show as list'}
          </Button>
        }
      >
        Statutes of limitations, next 90 days
      </SectionHeading>
      <div className={isList ? 'hidden' : 'max-sm:hidden'}>
        <Timeline limitations={limitations} today={today} />
      </div>
      <div className={isList ? undefined : 'sm:hidden'}>
        <LimitationList limitations={limitations} today={today} />
      </div>
      {total > limitations.length && (
        <p className="mt-2 text-note text-ink-3">
          The soonest {limitations.length} of {total.toLocaleString('en-US')}.
        </p>
      )}
    </>
  );
}
