import { filedToCase } from '../../core/filed.ts';
import { isSignedIn, store } from '../../core/store.ts';
import type { Upload } from '../../core/upload.ts';
import { toast } from '../../ui/toast-store.ts';
import { uploadFile, uploadVersion } from './api.ts';

/** A file being uploaded to a folder of a case. */
export type Sending = {
  id: number;
  caseId: string;
  folder: string;
  /** The file that this is a new version of. */
  name?: string;
  file: File;
  /** 0 to 1. */
  share: number;
  /** Why the upload failed. */
  failure: string | null;
};

const AT_ONCE = 3;

let lastId = 0;
let sendings: readonly Sending[] = [];
let waiting: readonly Sending[] = [];
/** Uploads that ended since the last toast. */
let arrived: readonly Sending[] = [];
const running = new Map<number, Upload<unknown>>();
const listeners = new Set<() => void>();

/** All uploads of this tab, which continue when the user leaves the page. */
export function allSendings(): readonly Sending[] {
  return sendings;
}

export function onSendings(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Uploads three files at a time; a failed file does not stop the others. */
export function sendFiles(
  to: Pick<Sending, 'caseId' | 'folder' | 'name'>,
  files: readonly File[],
): void {
  const added = files.map((file) => {
    lastId += 1;
    return { ...to, id: lastId, file, share: 0, failure: null };
  });
  change([...sendings, ...added]);
  queue(added);
}

export function sendAgain(some: readonly Sending[]): void {
  const again = new Map(
    some.map((sending) => [sending.id, { ...sending, share: 0, failure: null }]),
  );
  change(sendings.map((sending) => again.get(sending.id) ?? sending));
  queue([...again.values()]);
}

export function dropSendings(some: readonly Sending[]): void {
  const dropped = new Set(some.map(({ id }) => id));
  waiting = waiting.filter(({ id }) => !dropped.has(id));
  change(sendings.filter(({ id }) => !dropped.has(id)));
  for (const id of dropped) running.get(id)?.cancel();
}

function queue(more: readonly Sending[]): void {
  waiting = [...waiting, ...more];
  settle();
}

function settle(): void {
  const next = waiting.slice(0, AT_ONCE - running.size);
  waiting = waiting.slice(next.length);
  for (const sending of next) void start(sending);
  if (running.size > 0 || arrived.length === 0) return;
  toast.success(inWords(arrived));
  for (const caseId of new Set(arrived.map((sending) => sending.caseId)))
    store.dispatch(filedToCase(caseId));
  arrived = [];
}

function inWords(some: readonly Sending[]): string {
  const [first] = some;
  if (some.length > 1) return `${some.length} files uploaded`;
  return first?.name === undefined ? 'File uploaded' : `New version of ${first.name} uploaded`;
}

async function start(to: Sending): Promise<void> {
  const { id, caseId, folder, name, file } = to;
  const update = (now: Partial<Sending>) =>
    change(sendings.map((sending) => (sending.id === id ? { ...sending, ...now } : sending)));
  const report = (share: number) => update({ share });
  const upload =
    name === undefined
      ? uploadFile({ caseId, folder }, file, report)
      : uploadVersion({ caseId, folder, name }, file, report);
  running.set(id, upload);
  try {
    await upload.done;
    arrived = [...arrived, to];
    change(sendings.filter((sending) => sending.id !== id));
  } catch (error) {
    update({ failure: error instanceof Error ? error.message : String(error) });
  }
  running.delete(id);
  settle();
}

function change(now: readonly Sending[]): void {
  sendings = now;
  for (const listener of listeners) listener();
}

// Uploads end with the session, so that none continues as a different user.
store.subscribe(() => {
  if (sendings.length > 0 && !isSignedIn()) dropSendings(sendings);
});

addEventListener('beforeunload', (event) => {
  if (sendings.some(({ failure }) => failure === null)) event.preventDefault();
});
