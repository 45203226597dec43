import { useCallback, useEffect, useState } from 'react';

/**
 * What one page alone shows, read when the page opens.
 * @param read stays the same function between renders
 */
export function useRead<T>(read: () => Promise<T>) {
  const [data, setData] = useState<T>();
  const [isFailed, setIsFailed] = useState(false);
  const load = useCallback(() => {
    let isOver = false;
    read().then(
      (found) => {
        if (isOver) return;
        setData(found);
        setIsFailed(false);
      },
      () => !isOver && setIsFailed(true),
    );
    return () => {
      isOver = true;
    };
  }, [read]);
  useEffect(load, [load]);
  return { data, isFailed, refresh: () => void load() };
}
