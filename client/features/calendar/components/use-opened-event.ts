import { useCallback, useEffect, useRef, useState } from 'react';
import type { CalendarEvent } from '@matterdesk/contract/calendar.ts';
import { CallError } from '../../../api.ts';
import { toast } from '../../../ui/toast-store.ts';
import { readEvent } from '../api.ts';
import type { Times } from '../rules.move.ts';

/** What is open beside the calendar: an event's card, its form, or the form of a new one. */
export type Opened =
  | { kind: 'card'; event: CalendarEvent }
  | { kind: 'form'; event: CalendarEvent | null; times: Times | null };

/** Opens events by id; the last click wins. */
export function useOpenedEvent() {
  const [opened, setOpened] = useState<Opened | null>(null);
  const running = useRef<AbortController>(null);
  const close = useCallback(() => setOpened(null), []);
  const openCard = useCallback((id: string) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    readEvent(id, controller.signal).then(
      (event) => setOpened({ kind: 'card', event }),
      (error: unknown) => {
        if (error instanceof CallError) toast.error(error.message);
        else if (!controller.signal.aborted) throw error;
      },
    );
  }, []);
  const openForm = useCallback(
    (event: CalendarEvent | null, times: Times | null = null) =>
      setOpened({ kind: 'form', event, times }),
    [],
  );
  useEffect(() => () => running.current?.abort(), []);
  return { opened, openCard, openForm, close };
}
