import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import Plus from 'lucide-react/icons/plus';
import type { ReactNode } from 'react';
import type { CalendarItem } from '@matterdesk/contract/calendar.ts';
import { useScreen } from '../../../core/use-screen.ts';
import { capitalize, counted, plural } from '../../../core/words.ts';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { countInWords, shownOn } from '../rules.ts';
import { type DaysView, daysOfView, shortTitleOfView, titleOfView } from '../rules.views.ts';

interface ScheduleHeaderProps {
  view: DaysView;
  views: ReactNode;
  /** Other actions of the calendar. */
  menu: ReactNode;
  date: string;
  today: string;
  /** Null while they load. */
  items: readonly CalendarItem[] | null;
  overdueCount: number;
  /** Opens the filters on a phone. */
  filterButton: ReactNode;
  onToday: () => void;
  onStep: (by: -1 | 1) => void;
  onAdd: () => void;
}

/** The shown days, what is on them, and the way to others. */
export function ScheduleHeader(props: ScheduleHeaderProps) {
  const { view, views, menu, date, onToday, onStep, onAdd } = props;
  const isPhone = useScreen() === 'phone';
  const title = isPhone ? shortTitleOfView(view, date) : titleOfView(view, date);
  return (
    <PageHeader
      title="Calendar"
      actions={
        <div className="flex flex-wrap items-center gap-2 max-sm:w-full print:hidden">
          <Button onClick={onToday}>Today</Button>
          <IconButton
            label="Earlier"
            icon={ChevronLeft}
            variant="quiet"
            onClick={() => onStep(-1)}
          />
          <IconButton label="Later" icon={ChevronRight} variant="quiet" onClick={() => onStep(1)} />
          {isPhone && <span className="ml-auto">{props.filterButton}</span>}
          {isPhone ? (
            <>
              {menu}
              <IconButton label="New event" icon={Plus} variant="primary" onClick={onAdd} />
            </>
          ) : (
            views
          )}
          {isPhone ? (
            views
          ) : (
            <Button variant="primary" icon={Plus} onClick={onAdd}>
              New event
            </Button>
          )}
          {!isPhone && menu}
        </div>
      }
    >
      {title !== '' && <h2 className="text-heading font-semibold text-ink">{title}</h2>}
      <Summary {...props} />
    </PageHeader>
  );
}

/** 'Today: 3 events, 2 deadlines, 3 tasks · 1 deadline is late'. */
function Summary({ view, date, today, items, overdueCount }: ScheduleHeaderProps) {
  const { from, to } = daysOfView(view, date);
  const isToday = view !== 'month' && from <= today && today <= to;
  const days = isToday ? { from: today, to: today } : { from, to };
  const shown = shownOn(items ?? [], days);
  return (
    <>
      {items === null
        ? '\u00a0'
        : isToday
          ? `Today: ${countInWords(shown)}`
          : capitalize(countInWords(shown))}
      {overdueCount > 0 && (
        <>
          {' · '}
          <span className="text-red">
            {`${counted(overdueCount, 'deadline')} ${plural(overdueCount, 'is', 'are')} late`}
          </span>
        </>
      )}
    </>
  );
}
