import { useState } from 'react';
import type { CalendarEvent, CalendarItem, SeriesScope } from '@matterdesk/contract/calendar.ts';
import { CallError } from '../../../api.ts';
import { useAppDispatch } from '../../../core/store.ts';
import { toast } from '../../../ui/toast-store.ts';
import { changeEvent, moveEvent, readEvent } from '../api.ts';
import { questionOf, questionOfUndo, type GuestQuestion } from '../rules.guests.ts';
import { timesInWords, type Times } from '../rules.move.ts';
import { calendarChanged } from '../slice.ts';

/** A move that is not saved yet. @param revert puts the event back where it was */
export type Move = { item: CalendarItem; times: Times; revert: () => void };
/** A move of a series, which waits for its scope. */
export type SeriesMove = Move & { event: CalendarEvent };

type Saved = { saved: CalendarEvent; scope: SeriesScope };

/** Saves moves of events: asks which events of a series they mean, and offers to undo them. */
export function useMoves() {
  const dispatch = useAppDispatch();
  const [asked, setAsked] = useState<SeriesMove | null>(null);
  const [question, setQuestion] = useState<GuestQuestion | null>(null);

  const undo = async (event: CalendarEvent, { saved, scope }: Saved) => {
    const { id, allDay, start, end } = event;
    const now = await readOrSay(id);
    if (now === null) return;
    // Undoing would move it back from where someone else has put it.
    if (now.start !== saved.start || now.end !== saved.end)
      return toast.plain('Not undone: someone else moved it meanwhile');
    try {
      const body = { allDay, start, end };
      const { event: undone } = await changeEvent({ params: { id }, query: { scope }, body });
      dispatch(calendarChanged());
      setQuestion(questionOfUndo(event, undone));
    } catch (error) {
      ignoreReported(error);
    }
  };
  const save = async ({ event, times, revert }: SeriesMove, scope: SeriesScope) => {
    setAsked(null);
    try {
      const sent = { params: { id: event.id }, query: { scope }, body: times };
      const { event: saved, clashes } = await moveEvent(sent);
      dispatch(calendarChanged());
      const [clash] = clashes;
      const words = `${timesInWords(times)}${clash ? `, at the same time as “${clash.title}”` : ''}`;
      toast.plain(words, { label: 'Undo', run: () => void undo(event, { saved, scope }) });
      setQuestion(questionOf(event, saved));
    } catch (error) {
      revert();
      ignoreReported(error);
    }
  };
  const move = async (moved: Move) => {
    const event = await readOrSay(moved.item.id);
    if (event === null) return moved.revert();
    const waiting = { ...moved, event };
    if (event.series === null) await save(waiting, 'this');
    else setAsked(waiting);
  };
  const leave = () => {
    asked?.revert();
    setAsked(null);
  };
  const closeQuestion = () => setQuestion(null);
  return { asked, move, save, leave, question, closeQuestion };
}

/** The event as it is now; null where a toast has said why not. */
async function readOrSay(id: string): Promise<CalendarEvent | null> {
  try {
    return await readEvent(id, new AbortController().signal);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    toast.error(error.message);
    return null;
  }
}

/** The call has shown it already. */
function ignoreReported(error: unknown) {
  if (!(error instanceof CallError)) throw error;
}
