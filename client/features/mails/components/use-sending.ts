import { type RefObject, useRef, useState } from 'react';
import { CallError } from '../../../api.ts';
import { useAppDispatch } from '../../../core/store.ts';
import { clickOf } from '../../../core/use-click-key.ts';
import { toast } from '../../../ui/toast-store.ts';
import { deleteDraft, sendMail } from '../api.ts';
import { faultsOf, forgetsFile, outgoing, type Composing, type Written } from '../rules.writing.ts';
import { sectionChanged } from '../slice.ts';
import type { Change } from './use-kept-composing.ts';

interface Sending {
  latest: RefObject<Composing | null>;
  change: Change;
  /** The address that mail leaves from. */
  from: string;
  /** Between the two nothing else is done with its draft. */
  hold: () => Promise<void>;
  release: () => void;
  ask: (question: Question) => void;
  onGone: () => void;
}

/** What the person is asked before something would be lost, or go wrong. */
export type Question = 'close' | 'discard' | 'unattached';

export type Faults = Partial<Record<string, string>>;

/** Sends the mail once, however often that is asked for, and again as the same one when it had failed. */
export function useSending({ latest, change, from, hold, release, ask, onGone }: Sending) {
  const dispatch = useAppDispatch();
  const [faults, setFaults] = useState<Faults>({});
  const [isSending, setIsSending] = useState(false);
  const isSendingNow = useRef(false);

  const attempt = async ({ written, draftId, sent: before }: Composing) => {
    const draft = before && again(before, written, from) ? draftOf(before.body) : draftId;
    const body = JSON.stringify(outgoing(written, from, draft));
    const { key } = clickOf(body, before && { text: before.body, key: before.key });
    const sent = { key, body };
    change((now) => now && { ...now, sent });
    await sendMail(JSON.parse(sent.body), sent.key);
    // Kept between two tries: the mail that went knows nothing of it.
    if (draftId !== null && draftId !== draftOf(sent.body))
      deleteDraft(draftId, { isQuiet: true }).catch(() => undefined);
  };
  const send = async ({ isSure = false } = {}) => {
    // A second click comes before the button is drawn anew.
    if (!latest.current || isSendingNow.current) return;
    const { written } = latest.current;
    const found = faultsOf(outgoing(written, from, null));
    setFaults(found);
    if (Object.keys(found).length > 0) return;
    if (!isSure && forgetsFile(written)) return ask('unattached');
    isSendingNow.current = true;
    setIsSending(true);
    try {
      await hold();
      await attempt(latest.current);
      toast.success('Email sent successfully');
      dispatch(sectionChanged({ section: 'sent', ids: [] }));
      onGone();
    } catch (error) {
      // Someone who sends again after an unknown outcome wants it sent again.
      if (error instanceof CallError && error.code === 'outcomeUnknown')
        change((now) => now && { ...now, sent: null });
      const reason = error instanceof CallError ? error.message : 'Something went wrong';
      toast.error(`Error in sending mail: ${reason}`);
    } finally {
      isSendingNow.current = false;
      release();
      setIsSending(false);
    }
  };
  /** Takes the mail away, here and at Google. */
  const discard = async () => {
    await hold();
    const draftId = latest.current?.draftId;
    try {
      if (draftId) await deleteDraft(draftId);
      onGone();
    } catch {
      // The call has said what went wrong; what is written stays.
    }
    release();
  };
  return { faults, setFaults, isSending, send, discard };
}

/** Whether the last try was of the same mail, which then goes again as it was. */
function again(sent: NonNullable<Composing['sent']>, written: Written, from: string): boolean {
  return JSON.stringify(outgoing(written, from, draftOf(sent.body))) === sent.body;
}

function draftOf(body: string): string | null {
  return (JSON.parse(body) as { draftId?: string }).draftId ?? null;
}
