import { useCallback, useEffect, useState } from 'react';
import type { CalendarEvent } from '@matterdesk/contract/calendar.ts';
import { CallError } from '../../../api.ts';
import { toast } from '../../../ui/toast-store.ts';
import { readEvent } from '../api.ts';
import type { Times } from '../rules.move.ts';
import { useEventAddress } from './use-event-address.ts';

/** What is open beside the calendar: an event's card, its form, or the form of a new one. */
export type Opened =
  | { kind: 'card'; event: CalendarEvent }
  | { kind: 'form'; event: CalendarEvent | null; times: Times | null };

/** Opens the card of the event that the address names, and forms. */
export function useOpenedEvent() {
  const { eventId, name: openCard, leave, close: closeCard } = useEventAddress();
  const [card, setCard] = useState<CalendarEvent | null>(null);
  const [form, setForm] = useState<Opened | null>(null);
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
  const shown: Opened | null = card?.id === eventId ? { kind: 'card', event: card } : null;
  return { opened: form ?? shown, openCard, openForm, close };
}
