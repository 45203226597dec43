import { useCallback, useRef, useState, useEffect } from 'react';
import type { Import, ImportProfile } from '@matterdesk/contract/imports.ts';
import { CallError } from '../../../api.ts';
import { useAnnounced, usePolling } from '../../../core/background-job.ts';
import { useAppDispatch } from '../../../core/store.ts';
import { succeeds } from '../../../core/use-attempt.ts';
import { useResource } from '../../../core/use-resource.ts';
import { changeImport, addImport } from '../api.ts';
import { type Change, applyChanges } from '../rules.columns.ts';
import { endInWords, MAX_FILES, withFiles } from '../rules.ts';
import { importOf } from '../slice.ts';

/** Milliseconds between two reads: while it runs, and while another admin may start it. */
const RUNNING_POLL_MS = 1000;
const IDLE_POLL_MS = 10_000;

/** An import, read again and again; no event reports it. `announced` is for screen readers. */
export function useImport(id: string) {
  const dispatch = useAppDispatch();
  const entry = useResource(importOf, id);
  const shown = entry.data?.import ?? null;
  const pause = shown && isRunning(shown) ? RUNNING_POLL_MS : IDLE_POLL_MS;
  const load = useCallback(() => void dispatch(importOf.load(id)), [dispatch, id]);
  usePolling(pause, load);
  return { entry, announced: useAnnounced(shown, { isRunning, endInWords }) };
}

function isRunning({ state }: Import): boolean {
  return state === 'running';
}

/** Saves each choice at once, one after another, and shows it meanwhile; one that is refused springs back. */
export function useChanges(of: Import) {
  const [pending, setPending] = useState<readonly Change[]>([]);
  const last = useRef<Promise<boolean>>(Promise.resolve(true));
  const { id } = of;
  const change = useCallback(
    (next: Change) => {
      setPending((before) => [...before, next]);
      last.current = last.current.then(async () => {
        const isSaved = await succeeds(changeImport(id, next));
        setPending((before) => before.filter((one) => one !== next));
        return isSaved;
      });
    },
    [id],
  );
  return {
    shown: applyChanges(of, pending),
    isSaving: pending.length > 0,
    change,
    /** Resolves once everything is saved, with whether the last choice was. */
    saved: () => last.current,
  };
}

/** Files are uploaded, or read from a folder on the server. */
type Source = 'files' | 'dir';

/** The first step: a system, and its files. */
export function useNewImport() {
  const [profile, setProfile] = useState<ImportProfile | null>(null);
  const [source, setSource] = useState<Source>('files');
  const [files, setFiles] = useState<readonly File[]>([]);
  const [dir, setDir] = useState('');
  const [error, setError] = useState<string>();
  /** Share that is sent, 0 to 1; null while nothing is. */
  const [share, setShare] = useState<number | null>(null);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const add = (more: readonly File[], folders = 0) => {
    const all = withFiles(files, more);
    setFiles(all.slice(0, MAX_FILES));
    if (folders > 0) setError('A folder can’t be dropped here. Zip it, and drop the zip file.');
    else if (all.length > MAX_FILES)
      setError(
        `An import has ${MAX_FILES} files at most. Zip the others: a zip file counts as one.`,
      );
    else setError(undefined);
  };
  /** @returns the import, or null when it was refused or canceled */
  const send = async (): Promise<Import | null> => {
    if (profile === null || share !== null) return null;
    const { signal } = (running.current = new AbortController());
    const sent = source === 'files' ? { files, dir: '' } : { files: [], dir: dir.trim() };
    setError(undefined);
    setShare(0);
    try {
      return await addImport({ profile, ...sent, signal, onProgress: setShare });
    } catch (failure) {
      if (!signal.aborted) setError(inWords(failure));
      return null;
    } finally {
      setShare(null);
    }
  };
  return {
    profile,
    setProfile,
    source,
    setSource: (to: Source) => {
      setError(undefined);
      setSource(to);
    },
    files,
    add,
    remove: (file: File) => setFiles(files.filter((other) => other !== file)),
    dir,
    setDir,
    error,
    share,
    send,
    cancel: () => running.current?.abort(),
    canSend: profile !== null && (source === 'files' ? files.length > 0 : dir.trim() !== ''),
  };
}
export type NewImport = ReturnType<typeof useNewImport>;

/** Reading fails when a file has changed on disk since it was chosen. */
function inWords(failure: unknown): string {
  if (!(failure instanceof CallError)) return 'Can’t read the files. Choose them again.';
  const [first] = failure.errors;
  return first?.message ?? failure.message;
}
