import { useEffect } from 'react';
import { loadChunk } from '../core/chunks.ts';
import { socketClosed, socketLost, socketOpening } from '../core/connection.ts';
import { store, useAppDispatch, useAppSelector } from '../core/store.ts';

/** Keeps the stores up to date with other users' changes while the shell is open. */
export function useRealtime(): void {
  const dispatch = useAppDispatch();
  const token = useAppSelector((state) => state.user.token);
  useEffect(() => {
    if (!token) return undefined;
    let isOver = false;
    let close = () => {};
    const open = async () => {
      // Loaded after the page, so that it does not delay it.
      const { listen } = await loadChunk(() => import('./listen.ts'));
      if (!isOver) close = listen(token, dispatch);
    };
    const start = () => {
      dispatch(socketOpening());
      open().catch(() => !isOver && dispatch(socketLost()));
    };
    // The browser knows before the socket does, which waits for a missed heartbeat.
    const stop = () => {
      close();
      dispatch(socketLost());
    };
    start();
    globalThis.addEventListener('offline', stop);
    globalThis.addEventListener('online', start);
    return () => {
      isOver = true;
      globalThis.removeEventListener('offline', stop);
      globalThis.removeEventListener('online', start);
      close();
      if (store.getState().user.token) dispatch(socketClosed());
    };
  }, [dispatch, token]);
}
