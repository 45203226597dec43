import { useCallback, useEffect, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import type { CalendarEvent } from '@matterdesk/contract/calendar.ts';
import { CallError } from '../../../api.ts';
import { toast } from '../../../ui/toast-store.ts';
import { readEvent } from '../api.ts';
import type { Times } from '../rules.move.ts';

/** The panel beside the calendar: an event's card, its form, or a form for a new event. */
export type OpenPanel =
  | { kind: 'card'; event: CalendarEvent }
  | { kind: 'form'; event: CalendarEvent | null; times: Times | null };

/** Opens the card of the event that the address names, and forms. */
export function useOpenedEvent() {
  const { eventId, name: openCard, leave, close: closeCard } = useEventAddress();
  const [card, setCard] = useState<CalendarEvent | null>(null);
  const [form, setForm] = useState<OpenPanel | null>(null);
  useEffect(() => {
    if (eventId === null) return undefined;
    const controller = new AbortController();
    readEvent(eventId, controller.signal).then(setCard, (error: unknown) => {
      if (controller.signal.aborted) return;
      if (!(error instanceof CallError)) throw error;
      toast.error(error.message);
      leave();
    });
    return () => controller.abort();
  }, [eventId, leave]);
  const openForm = useCallback(
    (event: CalendarEvent | null, times: Times | null = null) =>
      setForm({ kind: 'form', event, times }),
    [],
  );
  const close = useCallback(() => {
    setForm(null);
    closeCard();
  }, [closeCard]);
  const shown: OpenPanel | null = card?.id === eventId ? { kind: 'card', event: card } : null;
  return { opened: form ?? shown, openCard, openForm, close };
}

/** Kept beside the address: that closing the card means going back. */
type HistoryState = { isFromCalendar?: boolean };

/** The event that the address names, whose card Back closes. */
function useEventAddress() {
  const [params, setParams] = useSearchParams();
  const navigate = useNavigate();
  const isFromCalendar = (useLocation().state as HistoryState | null)?.isFromCalendar === true;
  const eventId = params.get('event');
  const leave = useCallback(
    () =>
      setParams(
        (now) => {
          now.delete('event');
          return now;
        },
        { replace: true },
      ),
    [setParams],
  );
  const name = useCallback(
    (id: string) => {
      const state: HistoryState = { isFromCalendar: true };
      setParams(
        (now) => {
          now.set('event', id);
          return now;
        },
        { state },
      );
    },
    [setParams],
  );
  const close = useCallback(() => {
    if (eventId === null) return;
    if (isFromCalendar) void navigate(-1);
    else leave();
  }, [eventId, isFromCalendar, navigate, leave]);
  return { eventId, name, leave, close };
}
