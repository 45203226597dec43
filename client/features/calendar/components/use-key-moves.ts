import { useEffect, useMemo, useRef, useState } from 'react';
import type { CalendarItem } from '@matterdesk/contract/calendar.ts';
import { movedByKey, type Times } from '../rules.move.ts';
import type { GridView } from '../rules.views.ts';
import type { Move } from './use-moves.ts';

type Held = {
  item: CalendarItem;
  times: Times;
  /** What was shown when it was sent: later items have the saved event. */
  sentWith: readonly CalendarItem[] | null;
};

/**
 * Moves by keys: arrows with Ctrl move an event, with Ctrl and Shift its end. It is shown where it goes while Ctrl is
 * held, and saved once when it is released.
 */
export function useKeyMoves(items: readonly CalendarItem[], move: (move: Move) => void) {
  const [held, setHeld] = useState<Held | null>(null);
  const current = useRef<Held>(null);
  const hold = (next: Held | null) => {
    current.current = next;
    setHeld(next);
  };

  const press = (item: CalendarItem, by: { key: string; view: GridView; isResize: boolean }) => {
    const waiting = current.current?.sentWith === null ? current.current : null;
    const before = waiting?.item.id === item.id ? waiting : null;
    const from = before?.item ?? item;
    const times = movedByKey(before?.times ?? from, by);
    if (times) hold({ item: from, times, sentWith: null });
  };

  useEffect(() => {
    const release = (event: KeyboardEvent) => {
      const { current: waiting } = current;
      if (event.key !== 'Control' || waiting?.sentWith !== null) return;
      hold({ ...waiting, sentWith: items });
      move({ ...waiting, revert: () => hold(null) });
    };
    document.addEventListener('keyup', release);
    return () => document.removeEventListener('keyup', release);
  });

  const shown = useMemo(() => {
    if (!held || (held.sentWith !== null && held.sentWith !== items)) return items;
    return items.map((item) => (item.id === held.item.id ? { ...item, ...held.times } : item));
  }, [items, held]);
  return { shown, press };
}
