import { nanoid } from '@reduxjs/toolkit';
import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import type { MailAttachment } from '@matterdesk/contract/mails.ts';
import { CallError } from '../../../api.ts';
import { useAppDispatch, useAppSelector } from '../../../core/store.ts';
import { saveToTab, readFromTab } from '../../../core/tab-storage.ts';
import { succeeds, keyedRequest } from '../../../core/use-attempt.ts';
import { toast } from '../../../ui/toast-store.ts';
import type { Signature } from '../api.signature.ts';
import {
  readAttachment,
  readMail,
  uploadAttachment,
  keepDraft,
  deleteDraft,
  sendMail,
} from '../api.ts';
import {
  type DraftAttachment,
  type MailDraft,
  draftAsWritten,
  EMPTY_CONTENT,
  type MailContent,
  savablePart,
  toOutgoing,
  readMailDraft,
  fieldErrorsOf,
  lacksMentionedFile,
} from '../rules.draft.ts';
import { sectionChanged } from '../slice.ts';

export type Composer = ReturnType<typeof useComposer>;
type DraftStart = Partial<Pick<MailDraft, 'start' | 'written' | 'draftId' | 'matter'>>;

/** The mail being written: kept in this tab, saved to Gmail as a draft, and sent once. */
export function useComposer() {
  const dispatch = useAppDispatch();
  const { composing, change, latest } = useKeptDraft();
  const [question, ask] = useState<Question | null>(null);
  const signature = useSignature();
  const opening = useMailOpening();
  const from = useAppSelector(({ user }) => user.current?.googleEmail ?? user.current?.email ?? '');
  const { saveStatus, flush, hold, release } = useDraftKeeper({ latest, composing, change, from });
  const leave = useCallback(() => {
    // The Drafts section has changed.
    dispatch(sectionChanged({ section: 'drafts', ids: [] }));
    ask(null);
    change(() => null);
  }, [dispatch, change]);
  const onUndo = ({ written, matter }: MailDraft) =>
    // Its draft is deleted, so the mail is saved as a new one.
    void open({ written, matter, start: EMPTY_CONTENT });
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
  const open = async ({ written = EMPTY_CONTENT, draftId = null, ...rest }: DraftStart) => {
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
  const write = (next: Partial<MailContent> | ((now: MailContent) => Partial<MailContent>)) =>
    change((now) => {
      if (!now) return now;
      const changed = typeof next === 'function' ? next(now.written) : next;
      setFaults((all) => without(all, Object.keys(changed)));
      return { ...now, written: { ...now.written, ...changed } };
    });
  const minimize = (isSmall: boolean) => change((now) => now && { ...now, isSmall });
  const { faults, isSending, send, discard } = sending;
  const state = { composing, saveStatus, faults, isSending, question, opening };
  return { ...state, signature, ask, open, write, send, close, discard, leave, minimize };
}

/** Keys that were pressed for a mail before its panel had the focus, and where the focus was. */
type EarlyTyping = { id: string; typed: string; opener: Element | null };

/**
 * Tracks the opening of a mail until its panel has the focus. A newer opening replaces it: `want` and `begin` return a
 * function that says whether theirs is still the latest.
 */
function useMailOpening() {
  const [isOpening, setIsOpening] = useState(false);
  const caught = useRef<EarlyTyping>(null);
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
async function uploadAgain({ url, name, mimeType }: MailAttachment): Promise<DraftAttachment> {
  const blob = await readAttachment(url);
  const file = new File([blob], name || 'attachment', { type: mimeType });
  return uploadAttachment(file, () => undefined).done;
}

function without(all: ComposeErrors, names: readonly string[]): ComposeErrors {
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

export type SaveStatus = 'idle' | 'saving' | 'failed';

/** Milliseconds without typing after which the draft is saved; attachments take longer to send. */
const TYPING_PAUSE_MS = 1200;
const TYPING_PAUSE_WITH_FILES_MS = 4000;

interface DraftSaverOptions {
  latest: RefObject<MailDraft | null>;
  composing: MailDraft | null;
  change: Change;
  /** The sender's address. */
  from: string;
}

type SavedDraft = { id: string; text: string } | null;

/** Saves the mail to Gmail as a draft: one save at a time, ending with the latest text. */
function useDraftKeeper({ latest, composing, change, from }: DraftSaverOptions) {
  const [status, setStatus] = useState<{ id: string; saveStatus: SaveStatus }>();
  const kept = useRef<SavedDraft>(null);
  const running = useRef<Promise<boolean> | null>(null);

  const save = useCallback(async (): Promise<boolean> => {
    const now = latest.current;
    if (!now || isKept(now, kept.current)) return true;
    const { id, written } = now;
    const { body, isWhole } = savablePart(toOutgoing(written, from, null));
    setStatus({ id, saveStatus: 'saving' });
    try {
      const draftId = await keepDraft(now.draftId, body);
      if (isWhole) kept.current = { id, text: JSON.stringify(written) };
      const savedAt = new Date().toISOString();
      change((then) => (then?.id === id ? { ...then, draftId, savedAt } : then));
      setStatus({ id, saveStatus: 'idle' });
      return isWhole;
    } catch {
      setStatus({ id, saveStatus: 'failed' });
      return false;
    }
  }, [latest, change, from]);

  const saveAlone = useCallback((): Promise<boolean> => {
    running.current ??= save().finally(() => {
      running.current = null;
    });
    return running.current;
  }, [save]);
  /** @returns whether everything written is saved */
  const flush = useCallback(async (): Promise<boolean> => {
    while (latest.current && !isKept(latest.current, kept.current))
      if (!(await saveAlone())) return false;
    return true;
  }, [saveAlone, latest]);
  const { isHeld, hold, release } = useHold(running);

  const wait = useCallback(() => {
    const now = latest.current;
    if (!now || isKept(now, kept.current)) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const start = () => {
      timer = setTimeout(() => (isHeld.current ? start() : void saveAlone()), pauseOf(now));
    };
    start();
    return () => clearTimeout(timer);
  }, [saveAlone, latest, isHeld]);
  const text = composing && JSON.stringify(composing.written);
  // Each change restarts the pause.
  useEffect(wait, [wait, text]);

  const saveStatus = status && status.id === composing?.id ? status.saveStatus : 'idle';
  return { saveStatus, flush, hold, release };
}

/** `hold` waits for a running save and prevents others until `release`, so that a mail being sent is not saved. */
function useHold(running: RefObject<Promise<boolean> | null>) {
  const isHeld = useRef(false);
  const hold = useCallback(async () => {
    isHeld.current = true;
    await running.current;
  }, [running]);
  const release = useCallback(() => {
    isHeld.current = false;
  }, []);
  return { isHeld, hold, release };
}

/** Whether there are no unsaved changes. */
function isKept({ id, start, written }: MailDraft, kept: SavedDraft): boolean {
  return (kept?.id === id ? kept.text : JSON.stringify(start)) === JSON.stringify(written);
}

function pauseOf({ written: { attachments, forwardOf } }: MailDraft): number {
  return attachments.length > 0 || forwardOf !== undefined
    ? TYPING_PAUSE_WITH_FILES_MS
    : TYPING_PAUSE_MS;
}

const KEPT = 'mail-composing';

type Change = (next: (now: MailDraft | null) => MailDraft | null) => void;

/** The mail being written, which this tab keeps through reloads. */
function useKeptDraft() {
  const [composing, setComposing] = useState(() => readMailDraft(readFromTab(KEPT)));
  const latest = useRef(composing);
  const change = useCallback<Change>((next) => {
    latest.current = next(latest.current);
    saveToTab(KEPT, latest.current);
    setComposing(latest.current);
  }, []);
  return { composing, change, latest };
}

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

type ComposeErrors = Partial<Record<string, string>>;

/** Sends the mail once, however often Send is pressed; a retry after a failure has the same key. */
function useSend({ latest, change, from, hold, release, ask, onDone, onUndo }: SendOptions) {
  const dispatch = useAppDispatch();
  const [faults, setFaults] = useState<ComposeErrors>({});
  const [isSending, setIsSending] = useState(false);
  const isSendingNow = useRef(false);

  const attempt = async ({ written, draftId, sent: before }: MailDraft) => {
    const draft = before && isSame(before, written, from) ? draftOf(before.body) : draftId;
    const body = JSON.stringify(toOutgoing(written, from, draft));
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
    const found = fieldErrorsOf(toOutgoing(written, from, null));
    setFaults(found);
    if (Object.keys(found).length > 0) return;
    if (!isSure && lacksMentionedFile(written)) return ask('unattached');
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
function isSame(sent: NonNullable<MailDraft['sent']>, written: MailContent, from: string): boolean {
  return JSON.stringify(toOutgoing(written, from, draftOf(sent.body))) === sent.body;
}

function draftOf(body: string): string | null {
  return (JSON.parse(body) as { draftId?: string }).draftId ?? null;
}
