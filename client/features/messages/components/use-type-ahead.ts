import { useRef } from 'react';

/** Letters that come within this belong to one word. */
const CLEARS_AFTER_MS = 350;

/** The letters typed on a list so far; they are forgotten 350 ms after the last one. */
export function useTypeAhead() {
  const typed = useRef('');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** Answers what has been typed; a key that is no letter ends the word. */
  const type = (key: string): string => {
    clearTimeout(timer.current);
    typed.current = key.length === 1 ? typed.current + key : '';
    timer.current = setTimeout(() => {
      typed.current = '';
    }, CLEARS_AFTER_MS);
    return typed.current;
  };
  return { type, isTyping: () => typed.current !== '' };
}
