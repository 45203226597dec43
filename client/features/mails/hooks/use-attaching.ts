import { useCallback, useEffect, useRef, useState } from 'react';
import { MAX_MAIL_BYTES } from '@matterdesk/contract/mails.ts';
import type { Upload } from '../../../core/upload.ts';
import { toast } from '../../../ui/toast-store.ts';
import { uploadAttachment } from '../api.ts';
import type { Attached, Written } from '../rules.writing.ts';

export type PendingUpload = {
  id: number;
  name: string;
  size: number;
  /** 0 to 1. */
  share: number;
  /** Why the upload failed. */
  failure: string | null;
};

const TOO_LARGE = `An email can have up to ${MAX_MAIL_BYTES / 1024 / 1024} MB of attachments. Share larger files another way.`;

type Write = (next: (now: Written) => Partial<Written>) => void;

/** Uploads files before their mail is sent. */
export function useAttaching(attachments: readonly Attached[], write: Write) {
  const [pending, setPending] = useState<readonly PendingUpload[]>([]);
  const running = useRef(new Map<number, Upload<unknown>>());
  const lastId = useRef(0);
  useEffect(() => {
    const uploads = running.current;
    return () => {
      for (const upload of uploads.values()) upload.cancel();
    };
  }, []);

  const start = async (file: File) => {
    const { name, size } = file;
    lastId.current += 1;
    const id = lastId.current;
    const update = (now: Partial<PendingUpload>) =>
      setPending((all) => all.map((item) => (item.id === id ? { ...item, ...now } : item)));
    setPending((all) => [...all, { id, name, size, share: 0, failure: null }]);
    const upload = uploadAttachment(file, (share) => update({ share }));
    running.current.set(id, upload);
    try {
      const { upload: kept, name: keptName, size: keptSize } = await upload.done;
      const attached = { upload: kept, name: keptName, size: keptSize };
      setPending((all) => all.filter((item) => item.id !== id));
      write((now) => ({ attachments: [...now.attachments, attached] }));
    } catch (error) {
      update({ failure: error instanceof Error ? error.message : String(error) });
    }
    running.current.delete(id);
  };
  const fits = (more: readonly { size: number }[]) => {
    const all = [...attachments, ...pending.filter(({ failure }) => failure === null), ...more];
    const isWithinLimit = all.reduce((sum, { size }) => sum + size, 0) <= MAX_MAIL_BYTES;
    if (!isWithinLimit) toast.error(TOO_LARGE);
    return isWithinLimit;
  };
  const add = (files: readonly File[]) => {
    if (fits(files)) for (const file of files) void start(file);
  };
  /** The server already has the files of a case. */
  const addKept = (files: readonly Attached[]) => {
    if (fits(files)) write((now) => ({ attachments: [...now.attachments, ...files] }));
  };
  const cancel = useCallback((id: number) => {
    running.current.get(id)?.cancel();
    setPending((all) => all.filter((item) => item.id !== id));
  }, []);
  const remove = (removed: Attached) =>
    write((now) => ({ attachments: now.attachments.filter((file) => file !== removed) }));
  const isBusy = pending.some(({ failure }) => failure === null);
  return { pending, isBusy, add, addKept, cancel, remove };
}
