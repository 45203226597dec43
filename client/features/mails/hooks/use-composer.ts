import { nanoid } from '@reduxjs/toolkit';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { MailAttachment } from '@matterdesk/contract/mails.ts';
import { useAppDispatch, useAppSelector } from '../../../core/store.ts';
import { toast } from '../../../ui/toast-store.ts';
import type { Signature } from '../api.signature.ts';
import { readAttachment, readMail, uploadAttachment } from '../api.ts';
import {
  type Attached,
  type MailDraft,
  draftAsWritten,
  NOTHING_WRITTEN,
  type Written,
} from '../rules.writing.ts';
import { sectionChanged } from '../slice.ts';
import { useDraftKeeper } from './use-draft-keeper.ts';
import { useKeptDraft } from './use-kept-draft.ts';
import { type Faults, type Question, useSend } from './use-send.ts';

export type Composer = ReturnType<typeof useComposer>;
type Start = Partial<Pick<MailDraft, 'start' | 'written' | 'draftId' | 'matter'>>;

/** The mail being written: kept in this tab, saved to Gmail as a draft, and sent once. */
export function useComposer() {
  const dispatch = useAppDispatch();
  const { composing, change, latest } = useKeptDraft();
  const [question, ask] = useState<Question | null>(null);
  const signature = useSignature();
  const opening = useOpening();
  const from = useAppSelector(({ user }) => user.current?.googleEmail ?? user.current?.email ?? '');
  const { keeping, flush, hold, release } = useDraftKeeper({ latest, composing, change, from });
  const leave = useCallback(() => {
    // The Drafts section has changed.
    dispatch(sectionChanged({ section: 'drafts', ids: [] }));
    ask(null);
    change(() => null);
  }, [dispatch, change]);
  const onUndo = ({ written, matter }: MailDraft) =>
    // Its draft is deleted, so it is saved anew.
    void open({ written, matter, start: NOTHING_WRITTEN });
  const sending = useSend({ latest, change, from, hold, release, ask, onDone: leave, onUndo });
  const { setFaults } = sending;

  /** @returns whether another mail can be opened now */
  const close = async (isWanted = () => true): Promise<boolean> => {
    if (sending.isSending) return false;
    const isKept = await flush();
    if (!isWanted()) return false;
    if (isKept) leave();
    else ask('close');
    return isKept;
  };
  const open = async ({ written = NOTHING_WRITTEN, draftId = null, ...rest }: Start) => {
    const { matter = null } = rest;
    const id = nanoid();
    const isWanted = opening.begin(id);
    if (latest.current && !(await close(isWanted))) {
      if (isWanted()) opening.end();
      return;
    }
    const isNew = draftId === null && rest.start === undefined;
    const first = (isNew && (await signature.current)?.sign(written)) || written;
    if (!isWanted()) return;
    const { start = first } = rest;
    setFaults({});
    change(() => ({ id, start, written: first, draftId, matter, isSmall: false, sent: null }));
  };
  const write = (next: Partial<Written> | ((now: Written) => Partial<Written>)) =>
    change((now) => {
      if (!now) return now;
      const changed = typeof next === 'function' ? next(now.written) : next;
      setFaults((all) => without(all, Object.keys(changed)));
      return { ...now, written: { ...now.written, ...changed } };
    });
  const minimize = (isSmall: boolean) => change((now) => now && { ...now, isSmall });
  const { faults, isSending, send, discard } = sending;
  const state = { composing, keeping, faults, isSending, question, opening };
  return { ...state, signature, ask, open, write, send, close, discard, leave, minimize };
}

/** Keys that were pressed for a mail before its panel had the focus, and where the focus was. */
type Caught = { id: string; typed: string; opener: Element | null };

/**
 * The time from when a mail is asked for until its panel has the focus. Another that is begun meanwhile takes its place:
 * `want` and `begin` return whether it is still the last.
 */
function useOpening() {
  const [isOpening, setIsOpening] = useState(false);
  const caught = useRef<Caught>(null);
  const begun = useRef(0);
  const next = useCallback(() => {
    begun.current += 1;
    const own = begun.current;
    return () => begun.current === own;
  }, []);
  const begin = useCallback(
    (id: string) => {
      const { typed = '', opener = document.activeElement } = caught.current ?? {};
      caught.current = { id, typed, opener };
      setIsOpening(true);
      return next();
    },
    [next],
  );
  const keep = useCallback((typed: string) => {
    if (caught.current) caught.current.typed = typed;
  }, []);
  /** @returns what was typed meanwhile */
  const end = useCallback((): string => {
    const typed = caught.current?.typed ?? '';
    caught.current = null;
    setIsOpening(false);
    return typed;
  }, []);
  const want = useCallback(() => {
    end();
    return next();
  }, [end, next]);
  return { isOpening, caught, want, begin, keep, end };
}

export const FAILED = 'Error in fetching selected email, Please select again';

/** Opens a draft once it is read, unless another mail is written by then. `opening` is the draft that is being read. */
export function useDrafts({ opening: { want }, open }: Composer) {
  const [opening, setOpening] = useState<string | null>(null);
  const isHere = useRef(false);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  const openDraft = async (id: string) => {
    const isLast = want();
    const isWriting = () => document.activeElement?.closest('[data-compose]') != null;
    const isWanted = () => isHere.current && isLast() && !isWriting();
    setOpening(id);
    try {
      const { mail } = await readMail(id);
      const attachments = await Promise.all(mail.attachments.map(uploadAgain));
      const written = { ...draftAsWritten(mail), attachments };
      if (isWanted()) await open({ written, draftId: mail.draftId });
    } catch {
      if (isWanted()) toast.error(FAILED);
    }
    setOpening((now) => (now === id ? null : now));
  };
  return { opening, openDraft };
}

/** Each save replaces the whole draft, so its attachments are uploaded again. */
async function uploadAgain({ url, name, mimeType }: MailAttachment): Promise<Attached> {
  const blob = await readAttachment(url);
  const file = new File([blob], name || 'attachment', { type: mimeType });
  return uploadAttachment(file, () => undefined).done;
}

function without(all: Faults, names: readonly string[]): Faults {
  return Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name)));
}

/** The user's signature, read while the mailbox opens; null when it could not be. */
function useSignature() {
  const signature = useRef<Promise<Signature | null>>(null);
  useEffect(() => {
    signature.current = import('../api.signature.ts')
      .then(({ openSignature }) => openSignature())
      .catch(() => null);
  }, []);
  return signature;
}
