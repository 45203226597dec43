import { useCallback, useEffect, useEffectEvent, useRef } from 'react';

/**
 * Enter that is pressed before the matches of a text arrive: takes their first once they do.
 * @param take receives what the key set
 * @returns called by the key, and with null by the next letter: a match of an earlier text was not meant
 */
export function useEarlyEnter<Pressed>(
  isWaiting: boolean,
  take: (pressed: Pressed) => void,
): (pressed: Pressed | null) => void {
  const entered = useRef<Pressed>(null);
  const arrive = useEffectEvent(take);
  useEffect(() => {
    if (entered.current === null || isWaiting) return;
    const pressed = entered.current;
    entered.current = null;
    arrive(pressed);
  }, [isWaiting]);
  return useCallback((pressed) => {
    entered.current = pressed;
  }, []);
}
