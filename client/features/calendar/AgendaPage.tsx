// Events, tasks and the dates of matters, day by day.

import CalendarDays from 'lucide-react/icons/calendar-days';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import Plus from 'lucide-react/icons/plus';
import { lazy, type ReactNode, Suspense, useEffect, useMemo } from 'react';
import { useResource } from '../../core/use-resource.ts';
import { Button } from '../../ui/Button.tsx';
import { formatDay } from '../../ui/days.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { CaseDropdown } from '../cases/components/CaseDropdown.tsx';
import { useMatter } from '../cases/components/use-matter.ts';
import { calendarWindow } from './api.ts';
import { Agenda } from './components/Agenda.tsx';
import { AgendaSkeleton } from './components/AgendaSkeleton.tsx';
import { CalendarFilters } from './components/CalendarFilters.tsx';
import { useCalendarAddress } from './components/use-calendar-address.ts';
import { useOpenedEvent } from './components/use-opened-event.ts';
import { addDays, byDay, countInWords, groupOf } from './rules.ts';

const EventCard = lazy(async () => ({
  default: (await import('./components/EventCard.tsx')).EventCard,
}));
const EventDialog = lazy(async () => ({
  default: (await import('./components/EventDialog.tsx')).EventDialog,
}));

/** Days that the list shows at once. */
const DAYS = 28;
/** Milliseconds during which several changes are combined into one fetch. */
const GATHER = 50;

/** The agenda of the days that the address names. @param views the switch to the other views */
export function AgendaPage({ views }: { views: ReactNode }) {
  const address = useCalendarAddress();
  const { today, date, people, caseId, search, change, isShown } = address;
  const { matter, setPicked } = useMatter(caseId || null);
  const { opened, openCard, openForm, close } = useOpenedEvent();
  const to = addDays(date, DAYS - 1);
  const { data, failure, status, refresh } = useResource(
    calendarWindow,
    {
      from: date,
      to,
      ...(people && { people }),
      ...(caseId && { case: caseId }),
      ...(search && { search }),
    },
    { gather: GATHER },
  );
  const items = data?.items.filter((item) => isShown(groupOf(item)));
  const days = useMemo(() => byDay(items ?? [], { from: date, to }), [items, date, to]);
  const ofToday = days.find(({ day }) => day === today)?.items ?? [];
  useKeys({ n: () => openForm(null), t: () => change({ date: '' }) }, opened !== null);

  return (
    <>
      <PageHeader
        title="Calendar"
        actions={
          <div className="flex flex-wrap items-center gap-2 print:hidden">
            {views}
            <Button onClick={() => change({ date: '' })}>Today</Button>
            <IconButton
              label="Earlier"
              icon={ChevronLeft}
              onClick={() => change({ date: addDays(date, -DAYS) })}
            />
            <IconButton
              label="Later"
              icon={ChevronRight}
              onClick={() => change({ date: addDays(date, DAYS) })}
            />
            <Button variant="primary" icon={Plus} onClick={() => openForm(null)}>
              New event
            </Button>
          </div>
        }
      >
        {`${formatDay(date, 'short')} – ${formatDay(to)}`}
        {data && date <= today && today <= to && ` · Today: ${countInWords(ofToday)}`}
      </PageHeader>
      <CalendarFilters address={address}>
        <CaseDropdown
          aria-label="Matter"
          withIcon
          className="w-48"
          value={matter}
          onChange={(option) => {
            setPicked(option);
            change({ case: option?.id ?? '' });
          }}
        />
      </CalendarFilters>
      {data?.isCut === true && (
        <p className="px-4 pt-3 text-sm text-amber sm:px-9">
          The first 5,000 are shown; choose a person or matter
        </p>
      )}
      {data === null && failure === null && <AgendaSkeleton />}
      {data === null && failure !== null && (
        <ErrorState
          title="Couldn’t load the calendar"
          detail={failure.message}
          onRetry={refresh}
          busy={status === 'loading'}
        />
      )}
      {data !== null && days.length === 0 && (
        <EmptyState icon={CalendarDays} title="Nothing on these days" />
      )}
      <Agenda days={days} today={today} onOpen={openCard} />
      <Suspense fallback={null}>
        {opened?.kind === 'card' && (
          <EventCard event={opened.event} onEdit={() => openForm(opened.event)} onClose={close} />
        )}
        {opened?.kind === 'form' && (
          <EventDialog
            event={opened.event}
            day={date < today && today <= to ? today : date}
            matter={opened.event ? null : matter}
            caseField={CaseDropdown}
            onClose={close}
          />
        )}
      </Suspense>
    </>
  );
}

/** Single letters act where nothing is typed. */
function useKeys(actions: Record<string, () => void>, isBusy: boolean) {
  useEffect(() => {
    const handle = (event: KeyboardEvent) => {
      const { key, target } = event;
      const isTyping =
        target instanceof HTMLElement && target.closest('input, select, textarea, [role=dialog]');
      if (isBusy || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      const act = actions[key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', handle);
    return () => document.removeEventListener('keydown', handle);
  });
}
