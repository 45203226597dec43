import { useEffect, useState } from 'react';
import type { Activity } from '@matterdesk/contract/cases.ts';
import { useAppDispatch, useAppSelector } from '../../../core/store.ts';
import { CallError } from '../../../api.ts';
import { moversCame, type Tag } from '../slice.ts';

/** The name tag of a card that somebody else has moved, for as long as it is worn. */
export function useTag(id: string): Tag | undefined {
  const tag = useAppSelector((state) => state.tasks.tags[id]);
  const until = tag?.until;
  const [passed, setPassed] = useState(() =>
    until !== undefined && until <= Date.now() ? until : undefined,
  );
  useEffect(() => {
    if (until === undefined) return undefined;
    const timer = setTimeout(setPassed, until - Date.now(), until);
    return () => clearTimeout(timer);
  }, [until]);
  return until === passed ? undefined : tag;
}

type ReadActivity = (
  caseId: string,
  cursor: undefined,
  signal: AbortSignal,
) => Promise<{ activity: Activity[] }>;

/** Finds out who moved the cards that others have moved: the events themselves do not say. */
export function useMovers(caseId: string | null, readActivity: ReadActivity): void {
  const dispatch = useAppDispatch();
  const unknown = useAppSelector(({ tasks }) =>
    Object.entries(tasks.tags)
      .filter(([, tag]) => tag.mover === undefined)
      .map(([id]) => id)
      .join(),
  );
  useEffect(() => {
    if (caseId === null || unknown === '') return undefined;
    const ids = unknown.split(',');
    const controller = new AbortController();
    const tell = (nameOf: (id: string) => string | undefined) =>
      dispatch(moversCame(Object.fromEntries(ids.map((id) => [id, nameOf(id) ?? null]))));
    readActivity(caseId, undefined, controller.signal).then(
      ({ activity }) =>
        tell((id) => {
          const move = activity.find(
            ({ entityId, action }) => entityId === id && action === 'moved',
          );
          return move?.actor ? `${move.actor.firstName} ${move.actor.lastName}` : undefined;
        }),
      (error: unknown) => error instanceof CallError && tell(() => undefined),
    );
    return () => controller.abort();
  }, [dispatch, caseId, readActivity, unknown]);
}
