import { useId, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { solInEffect } from '@matterdesk/contract/sol-in-effect.ts';
import { paths } from '../../../core/paths.ts';
import { proposalOf } from '../../../core/waiting-date.ts';
import { cx } from '../../../ui/cx.ts';
import { daysBetween, formatDay, addDays } from '../../../ui/days.ts';
import { Menu } from '../../../ui/Menu.tsx';
import { useAnchorName } from '../../../ui/Popup.tsx';
import { Tooltip } from '../../../ui/Tooltip.tsx';
import { LABEL_WIDTH, monthsOn, type TimelineMark, useTimeline } from '../hooks/use-timeline.ts';
import { type BriefCase, daysInWords, LIMITATION_DAYS } from '../rules.ts';

interface TimelineProps {
  limitations: readonly BriefCase[];
  today: string;
}

/** Statutes of limitations as dots on a line of 90 days; screen readers get a list. */
export function Timeline({ limitations, today }: TimelineProps) {
  const line = useRef<HTMLDivElement>(null);
  const { spots, width } = useTimeline(line, { limitations, today });
  const end = addDays(today, LIMITATION_DAYS);
  return (
    <div ref={line} className="relative h-[7.25rem]">
      <div
        aria-hidden="true"
        className="absolute inset-x-0 top-[5.25rem] border-t border-line-strong"
      />
      <div aria-hidden="true" className="text-xs text-ink-3">
        <span className="absolute top-24 left-0">Today</span>
        {monthsOn(today, width).map(({ day, x }) => (
          <span key={day} className="absolute top-24 -translate-x-1/2" style={{ left: x }}>
            {formatDay(day, 'month')}
          </span>
        ))}
        <span className="absolute top-24 right-0">{formatDay(end, 'short')}</span>
      </div>
      <ol aria-label="By date">
        {spots.map((spot) => (
          <li
            key={spot.cases[0].id}
            className="absolute top-[4.5rem] -translate-x-1/2"
            style={{ left: spot.x }}
          >
            {spot.cases.length === 1 ? (
              <SingleCase spot={spot} limitation={spot.cases[0]} />
            ) : (
              <SomeCases spot={spot} today={today} />
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}

const SPOT = 'group/spot relative grid size-6 place-items-center rounded-full';

function SingleCase({ spot, limitation }: { spot: TimelineMark; limitation: BriefCase }) {
  const date = [formatDay(solInEffect(limitation)), proposalOf(limitation)].filter(Boolean);
  const name = `${limitation.caseName}, ${date.join(', ')}, ${daysInWords(spot.days)}`;
  const link = (
    <Link to={paths.caseDetails(limitation.id)} aria-label={name} className={SPOT}>
      <Dot spot={spot} />
      <Words spot={spot} />
    </Link>
  );
  if (spot.label) return link;
  return <Tooltip text={`${limitation.caseName}, ${daysInWords(spot.days)}`}>{link}</Tooltip>;
}

function SomeCases({ spot, today }: { spot: TimelineMark; today: string }) {
  const navigate = useNavigate();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const anchorName = useAnchorName();
  const menuId = useId();
  const name = `${spot.cases.length} matters from ${daysInWords(spot.days)} on`;
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={name}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? menuId : undefined}
        onClick={() => setIsOpen(!isOpen)}
        className={SPOT}
        style={{ anchorName }}
      >
        <Dot spot={spot} />
        <Words spot={spot} />
      </button>
      {isOpen && (
        <Menu
          id={menuId}
          label={name}
          entries={spot.cases.map((limitation) => ({
            label: `${limitation.caseName} · ${daysInWords(daysBetween(today, solInEffect(limitation)))}`,
            onSelect: () => void navigate(paths.caseDetails(limitation.id)),
          }))}
          anchor={button}
          anchorName={anchorName}
          startAt="first"
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}

function Dot({ spot }: { spot: TimelineMark }) {
  if (spot.cases.length === 1) return <span className="size-[9px] rounded-full bg-amber" />;
  return (
    <span className="grid size-[18px] place-items-center rounded-full bg-amber text-[10.5px]/none font-semibold text-paper tabular-nums">
      {spot.cases.length}
    </span>
  );
}

/** The name and days above a spot, with a connecting line from the upper level. */
function Words({ spot }: { spot: TimelineMark }) {
  if (!spot.label) return null;
  const { level, direction } = spot.label;
  const [first, ...others] = spot.cases;
  const side = direction === 'right' ? 'left-1/2 text-left' : 'right-1/2 text-right';
  return (
    <>
      {level > 0 && (
        <span
          aria-hidden="true"
          className="absolute bottom-[1.3125rem] left-1/2 h-8 border-l border-line"
        />
      )}
      <span
        aria-hidden="true"
        className={cx(
          'absolute text-xs whitespace-nowrap',
          side,
          level > 0 ? 'bottom-[3.375rem]' : 'bottom-[1.375rem]',
        )}
        style={{ maxWidth: LABEL_WIDTH }}
      >
        <span className={cx('flex gap-1 font-medium', direction === 'left' && 'justify-end')}>
          <span className="truncate group-hover/spot:underline">{first.caseName}</span>
          {others.length > 0 && <span>+{others.length}</span>}
        </span>
        <span className="block text-amber">{daysInWords(spot.days)}</span>
      </span>
    </>
  );
}
