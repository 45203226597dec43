import { useCallback, useEffect, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import type { CalendarEvent } from '@matterdesk/contract/calendar.ts';
import { useResource } from '../../../core/use-resource.ts';
import { toast } from '../../../ui/toast-store.ts';
import type { Times } from '../rules.move.ts';
import { eventOf } from '../slice.ts';

/** The panel beside the calendar: an event's card, its form, or a form for a new event. */
type OpenPanel = { kind: 'card'; event: CalendarEvent } | OpenForm;
type OpenForm = { kind: 'form'; event: CalendarEvent | null; times: Times | null };

/** Opens the card of the event that the address names, and forms. */
export function useOpenedEvent() {
  const { eventId, name: openCard, leave, close: closeCard } = useEventAddress();
  const { data, failure } = useResource(eventOf, eventId);
  const [form, setForm] = useState<OpenForm | null>(null);
  const refusal = data === null ? failure?.message : undefined;
  useEffect(() => {
    if (refusal === undefined) return;
    toast.error(refusal);
    leave();
  }, [refusal, leave]);
  // The user may no longer see it.
  if (refusal !== undefined && form !== null) setForm(null);
  const openForm = useCallback(
    (event: CalendarEvent | null, times: Times | null = null) =>
      setForm({ kind: 'form', event, times }),
    [],
  );
  const close = useCallback(() => {
    setForm(null);
    closeCard();
  }, [closeCard]);
  const card: OpenPanel | null = data && { kind: 'card', event: data };
  // Others may change the event while its form is open.
  const opened = form?.event && data ? { ...form, event: data } : (form ?? card);
  return { opened, openCard, openForm, close };
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
