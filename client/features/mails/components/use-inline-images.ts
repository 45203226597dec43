import { useEffect, useState } from 'react';
import type { MailAttachment, MailDetail } from '@matterdesk/contract/mails.ts';
import { readAttachment } from '../api.ts';
import { isShownInside } from '../rules.ts';

type Images = Readonly<Record<string, string>>;
const NONE: Images = {};

/** The pictures that a mail brings along and shows inside of it, as addresses of this page. */
export function useInlineImages({ html, attachments }: MailDetail): Images {
  const [images, setImages] = useState(NONE);
  useEffect(() => {
    const wanted = attachments.filter((one) => isShownInside(one, html));
    if (wanted.length === 0) return undefined;
    const controller = new AbortController();
    const made: string[] = [];
    const load = async (one: MailAttachment) => {
      const blob = await readAttachment(one.url, controller.signal);
      const address = URL.createObjectURL(blob);
      made.push(address);
      return [one.contentId, address] as const;
    };
    // One that is lost leaves its own place empty.
    void Promise.allSettled(wanted.map(load)).then((all) => {
      if (controller.signal.aborted) for (const address of made) URL.revokeObjectURL(address);
      else setImages(Object.fromEntries(all.flatMap((one) => ('value' in one ? [one.value] : []))));
    });
    return () => {
      controller.abort();
      for (const address of made) URL.revokeObjectURL(address);
    };
  }, [html, attachments]);
  return images;
}
