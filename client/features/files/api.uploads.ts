import { filedToCase } from '../../core/filed.ts';
import { isSignedIn, store } from '../../core/store.ts';
import type { Upload } from '../../core/upload.ts';
import { externalStore } from '../../ui/external-store.ts';
import { toast } from '../../ui/toast-store.ts';
import { uploadFile, uploadVersion } from './api.ts';

/** A file being uploaded to a folder of a case. */
export type PendingUpload = {
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

const MAX_UPLOADS_AT_ONCE = 3;

let lastId = 0;
const uploads = externalStore<readonly PendingUpload[]>([]);
let waiting: readonly PendingUpload[] = [];
/** Uploads that ended since the last toast. */
let arrived: readonly PendingUpload[] = [];
const running = new Map<number, Upload<unknown>>();

/** All uploads of this tab, which continue when the user leaves the page. */
export const { get: allUploads, subscribe: onUploads } = uploads;

/** Uploads three files at a time; a failed file does not stop the others. */
export function sendFiles(
  to: Pick<PendingUpload, 'caseId' | 'folder' | 'name'>,
  files: readonly File[],
): void {
  const added = files.map((file) => {
    lastId += 1;
    return { ...to, id: lastId, file, share: 0, failure: null };
  });
  uploads.set([...allUploads(), ...added]);
  queue(added);
}

export function sendAgain(some: readonly PendingUpload[]): void {
  const again = new Map(some.map((upload) => [upload.id, { ...upload, share: 0, failure: null }]));
  uploads.set(allUploads().map((upload) => again.get(upload.id) ?? upload));
  queue([...again.values()]);
}

export function dropUploads(some: readonly PendingUpload[]): void {
  const dropped = new Set(some.map(({ id }) => id));
  waiting = waiting.filter(({ id }) => !dropped.has(id));
  uploads.set(allUploads().filter(({ id }) => !dropped.has(id)));
  for (const id of dropped) running.get(id)?.cancel();
}

function queue(more: readonly PendingUpload[]): void {
  waiting = [...waiting, ...more];
  settle();
}

function settle(): void {
  const next = waiting.slice(0, MAX_UPLOADS_AT_ONCE - running.size);
  waiting = waiting.slice(next.length);
  for (const upload of next) void start(upload);
  if (running.size > 0 || arrived.length === 0) return;
  toast.success(inWords(arrived));
  for (const caseId of new Set(arrived.map((upload) => upload.caseId)))
    store.dispatch(filedToCase(caseId));
  arrived = [];
}

function inWords(some: readonly PendingUpload[]): string {
  const [first] = some;
  if (some.length > 1) return `${some.length} files uploaded`;
  return first?.name === undefined ? 'File uploaded' : `New version of ${first.name} uploaded`;
}

async function start(to: PendingUpload): Promise<void> {
  const { id, caseId, folder, name, file } = to;
  const update = (now: Partial<PendingUpload>) =>
    uploads.set(
      allUploads().map((pending) => (pending.id === id ? { ...pending, ...now } : pending)),
    );
  const report = (share: number) => update({ share });
  const upload =
    name === undefined
      ? uploadFile({ caseId, folder }, file, report)
      : uploadVersion({ caseId, folder, name }, file, report);
  running.set(id, upload);
  try {
    await upload.done;
    arrived = [...arrived, to];
    uploads.set(allUploads().filter((pending) => pending.id !== id));
  } catch (error) {
    update({ failure: error instanceof Error ? error.message : String(error) });
  }
  running.delete(id);
  settle();
}

// Uploads end with the session, so that none continues as a different user.
store.subscribe(() => {
  if (allUploads().length > 0 && !isSignedIn()) dropUploads(allUploads());
});

addEventListener('beforeunload', (event) => {
  if (allUploads().some(({ failure }) => failure === null)) event.preventDefault();
});
