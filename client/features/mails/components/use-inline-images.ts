import { useEffect, useState } from 'react';
import type { MailAttachment, MailDetail } from '@matterdesk/contract/mails.ts';
import { readAttachment } from '../api.ts';
import { isShownInside } from '../rules.reading.ts';

type Images = Readonly<Record<string, string>>;
const NONE: Images = {};

/** The attached images that a mail shows inline, as object URLs by content id. */
export function useInlineImages({ html, attachments }: MailDetail): Images {
  const [images, setImages] = useState(NONE);
  useEffect(() => {
    const wanted = attachments.filter((file) => isShownInside(file, html));
    if (wanted.length === 0) return undefined;
    const controller = new AbortController();
    const made: string[] = [];
    const load = async ({ url, contentId }: MailAttachment): Promise<[string, string]> => {
      const address = URL.createObjectURL(await readAttachment(url, controller.signal));
      made.push(address);
      return [contentId ?? '', address];
    };
    const show = (all: PromiseSettledResult<[string, string]>[]) => {
      const loaded = all.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
      if (!controller.signal.aborted) setImages(Object.fromEntries<string>(loaded));
    };
    // An image that fails to load leaves only its own place empty.
    void Promise.allSettled(wanted.map(load)).then(show);
    return () => {
      controller.abort();
      for (const address of made) URL.revokeObjectURL(address);
    };
  }, [html, attachments]);
  return images;
}
