import { changeCall, closeCall, type LoggedCall, loggedCall } from '../../../core/call-card.ts';
import { unsentOf } from '../../../core/unsent.ts';
import { toast } from '../../../ui/toast-store.ts';
import { isSaved, saveObstacleOf, secondsOf, toEntry } from '../rules.calls.ts';
import { useAddEntry } from './use-add-entry.ts';

/** Saves a call once, also while its card is small. */
export function useCallSave(call: LoggedCall) {
  const { error, setError, isBusy, add } = useAddEntry(() => loggedCall()?.isSmall !== true);
  const save = async () => {
    const missing = saveObstacleOf(call);
    setError(missing ?? '');
    const { matter } = call;
    if (missing !== null || !matter) return;
    // A retry after a lost reply sends the same length.
    const seconds = secondsOf(call, Date.now());
    changeCall({ seconds });
    const entry = toEntry({ ...call, seconds }, Date.now());
    if (!(await add(matter.id, entry))) return;
    toast.success(`Call saved in ${matter.label}`);
    const open = loggedCall();
    // Another call may have begun, or more been typed, while it was being saved.
    if (open?.startedAt !== call.startedAt) return;
    if (isSaved(open, entry)) closeCall();
    else changeCall({ text: unsentOf(open.text, entry.text) });
  };
  return { error, isBusy, save };
}
