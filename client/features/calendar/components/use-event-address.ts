import { useCallback } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';

/** Kept beside the address: that closing the card means going back. */
type Beside = { isFromCalendar?: boolean };

/** The event that the address names, whose card Back closes. */
export function useEventAddress() {
  const [params, setParams] = useSearchParams();
  const navigate = useNavigate();
  const isFromCalendar = (useLocation().state as Beside | null)?.isFromCalendar === true;
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
      const state: Beside = { isFromCalendar: true };
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
