import { useEffect, useRef, useState } from 'react';
import type { Import, ImportProfile } from '@matterdesk/contract/imports.ts';
import { CallError } from '../../../api.ts';
import { addImport } from '../api.ts';
import { MAX_FILES, withFiles } from '../rules.files.ts';

/** Files are uploaded, or read from a folder on the server. */
export type Source = 'files' | 'dir';

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
