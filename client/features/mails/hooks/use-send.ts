import { type RefObject, useRef, useState } from 'react';
import { CallError } from '../../../api.ts';
import { useAppDispatch } from '../../../core/store.ts';
import { succeeds } from '../../../core/use-attempt.ts';
import { keyedRequest } from '../../../core/use-click-key.ts';
import { toast } from '../../../ui/toast-store.ts';
import { deleteDraft, sendMail } from '../api.ts';
import { faultsOf, forgetsFile, outgoing, type MailDraft, type Written } from '../rules.writing.ts';
import { sectionChanged } from '../slice.ts';
import type { Change } from './use-kept-draft.ts';

interface SendOptions {
  latest: RefObject<MailDraft | null>;
  change: Change;
  /** The sender's address. */
  from: string;
  /** Between the two calls, the draft is not saved. */
  hold: () => Promise<void>;
  release: () => void;
  ask: (question: Question) => void;
  onDone: () => void;
  /** Brings back a mail that was discarded. */
  onUndo: (discarded: MailDraft) => void;
}

/** A confirmation before text is lost or an attachment is forgotten. */
export type Question = 'close' | 'unattached';

export type Faults = Partial<Record<string, string>>;

/** Sends the mail once, however often Send is pressed; a retry after a failure has the same key. */
export function useSend({ latest, change, from, hold, release, ask, onDone, onUndo }: SendOptions) {
  const dispatch = useAppDispatch();
  const [faults, setFaults] = useState<Faults>({});
  const [isSending, setIsSending] = useState(false);
  const isSendingNow = useRef(false);

  const attempt = async ({ written, draftId, sent: before }: MailDraft) => {
    const draft = before && isSame(before, written, from) ? draftOf(before.body) : draftId;
    const body = JSON.stringify(outgoing(written, from, draft));
    const { key } = keyedRequest(body, before && { text: before.body, key: before.key });
    const sent = { key, body };
    change((now) => now && { ...now, sent });
    await sendMail(JSON.parse(sent.body), sent.key);
    // A draft saved between two attempts is not part of the sent mail.
    if (draftId !== null && draftId !== draftOf(sent.body))
      deleteDraft(draftId, { isQuiet: true }).catch(() => undefined);
  };
  const send = async ({ isSure = false } = {}) => {
    // A second click may arrive before the next render.
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
      onDone();
    } catch (error) {
      // After an unknown outcome, a user who presses Send again wants another mail.
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
  /** Deletes the mail here and its draft in Gmail. */
  const discard = async () => {
    await hold();
    const discarded = latest.current;
    if (discarded && (await succeeds(forgetDraft(discarded)))) {
      onDone();
      toast.plain('Draft discarded', { label: 'Undo', run: () => onUndo(discarded) });
    }
    release();
  };
  return { faults, setFaults, isSending, send, discard };
}

async function forgetDraft({ draftId }: MailDraft): Promise<void> {
  if (draftId !== null) await deleteDraft(draftId);
}

/** Whether the mail is the same as in the last attempt, which is then repeated verbatim. */
function isSame(sent: NonNullable<MailDraft['sent']>, written: Written, from: string): boolean {
  return JSON.stringify(outgoing(written, from, draftOf(sent.body))) === sent.body;
}

function draftOf(body: string): string | null {
  return (JSON.parse(body) as { draftId?: string }).draftId ?? null;
}
