import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { store } from '../../../core/store.ts';
import { selectCards } from '../slice.ts';
import { focusCard } from './use-active-card.ts';

/** Focuses the card that the address names, once its board is loaded; then the address names the board alone. */
export function useCardOfAddress(isLoading: boolean): void {
  const [params, setParams] = useSearchParams();
  const id = params.get('task');
  useEffect(() => {
    if (id === null || isLoading) return;
    const card = selectCards(store.getState().tasks)[id];
    if (card && !card.doneAt) focusCard(id);
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        after.delete('task');
        return after;
      },
      { replace: true },
    );
  }, [id, isLoading, setParams]);
}
