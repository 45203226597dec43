import { useRef } from 'react';

/** Letters that come within this belong to one word. */
const CLEARS_AFTER_MS = 350;

/** The letters typed on a list so far; they are forgotten 350 ms after the last one. */
export function useTypeAhead() {
  const typed = useRef('');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  return (letter: string): string => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      typed.current = '';
    }, CLEARS_AFTER_MS);
    typed.current += letter;
    return typed.current;
  };
}
