import { useCallback, useEffect, useRef, useState } from 'react';
import { CallError } from '../../../api.ts';
import { useAppSelector } from '../../../core/store.ts';
import { readActivity } from '../api.ts';
import { withNewest, type Story } from '../rules.ts';

/** Changes that come together are looked at together. */
const GATHER = 150;

/** What happened to a case, read afresh whenever something more has; `id` stays what it is. */
export function useActivity(id: string) {
  const epoch = useAppSelector((state) => state.socket.epoch);
  const changes = useAppSelector((state) => state.cases.watched?.changes ?? 0);
  const [story, setStory] = useState<Story | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [isReading, setIsReading] = useState(false);
  const older = useRef<AbortController>(undefined);

  useEffect(() => {
    const waiting = new AbortController();
    const take = ({ activity, nextCursor }: Page) => {
      setStory((before) => withNewest(before, { entries: activity, nextCursor }));
      setFailure(null);
    };
    const read = () =>
      void readActivity(id, undefined, waiting.signal).then(take, (error: unknown) => {
        if (error instanceof CallError) setFailure(error.message);
      });
    const timer = setTimeout(read, changes === 0 ? 0 : GATHER);
    return () => {
      clearTimeout(timer);
      waiting.abort();
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- each connection and attempt asks afresh
  }, [id, epoch, changes, attempt]);

  useEffect(() => () => older.current?.abort(), []);

  const readOlder = async (after: string) => {
    const { signal } = (older.current = new AbortController());
    setIsReading(true);
    try {
      const page = await readActivity(id, after, signal);
      setStory((before) => withOlder(before, after, page));
      setFailure(null);
    } catch (error) {
      if (error instanceof CallError) setFailure(error.message);
    }
    if (!signal.aborted) setIsReading(false);
  };
  const handleOlder = () => {
    if (story?.nextCursor && !isReading) void readOlder(story.nextCursor);
  };
  const retry = useCallback(() => setAttempt((count) => count + 1), []);
  return { story, failure, isReading, readOlder: handleOlder, retry };
}

type Page = Awaited<ReturnType<typeof readActivity>>;

/** Unless the story has been read afresh meanwhile and goes on elsewhere. */
function withOlder(story: Story | null, after: string, { activity, nextCursor }: Page) {
  if (story?.nextCursor !== after) return story;
  return { entries: [...story.entries, ...activity], nextCursor };
}
