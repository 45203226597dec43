import ImageOff from 'lucide-react/icons/image-off';
import { useState, useEffect } from 'react';
import type { MailDetail, MailAttachment } from '@matterdesk/contract/mails.ts';
import { lazyNamed } from '../../../core/chunks.ts';
import { Button } from '../../../ui/Button.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { readAttachment } from '../api.ts';
import { isShownInside, splitLinks, splitQuotes } from '../rules.ts';

const SafeHtml = lazyNamed(() => import('../../../ui/SafeHtml.tsx'), 'SafeHtml');

/** The content of a mail. Remote images would reveal to the sender that it was opened, so they load on request. */
export function MailBody({ mail }: { mail: MailDetail }) {
  const [areImagesAllowed, setImagesAllowed] = useState(false);
  const [blocked, setBlocked] = useState(0);
  const images = useInlineImages(mail);
  if (mail.html === null) return <MessageText text={mail.message} />;
  return (
    <>
      {blocked > 0 && !areImagesAllowed && (
        <p
          role="status"
          className="mb-3 flex max-w-[42rem] flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-card bg-sunken py-1.5 pr-1.5 pl-3 text-sm text-ink-2"
        >
          <span className="flex items-center gap-2">
            <ImageOff /> Images are blocked so the sender can’t see that you opened this.
          </span>
          <Button size="small" onClick={() => setImagesAllowed(true)}>
            Load images
          </Button>
        </p>
      )}
      <div className="max-w-[42rem] overflow-hidden rounded-card border border-line bg-white">
        <SafeHtml
          html={mail.html}
          title="Message"
          allowRemoteImages={areImagesAllowed}
          inlineImages={images}
          onBlocked={setBlocked}
          fallback={<BodySkeleton />}
        />
      </div>
    </>
  );
}

function BodySkeleton() {
  return (
    <div className="flex flex-col gap-3 p-4">
      <Skeleton className="h-3.5 w-full" />
      <Skeleton className="h-3.5 w-11/12" />
      <Skeleton className="h-3.5 w-2/3" />
    </div>
  );
}

type Images = Readonly<Record<string, string>>;
const NONE: Images = {};

/** The attached images that a mail shows inline, as object URLs by content id. */
function useInlineImages({ html, attachments }: MailDetail): Images {
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

/** A plain-text message, with collapsible quotes and clickable URLs. */
function MessageText({ text }: { text: string }) {
  const parts = splitQuotes(text);
  return (
    <div className="flex max-w-[34em] flex-col gap-4 text-[0.9375rem]/6 wrap-anywhere">
      {parts.length === 0 && <p className="text-ink-3">This email has no text.</p>}
      {parts.map((part, index) =>
        part.kind === 'said' ? (
          // oxlint-disable-next-line react/no-array-index-key -- the parts of a text are never reordered
          <Paragraph key={index} text={part.text} />
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- the parts of a text are never reordered
          <details key={index} className="text-ink-2">
            <summary className="w-fit cursor-pointer rounded-small text-sm text-ink-3 hover:text-ink pointer-coarse:py-3">
              Quoted text
            </summary>
            <div className="mt-2 border-l-2 border-line pl-3">
              <Paragraph text={part.text.replaceAll(/^ ?> ?/gm, '')} />
            </div>
          </details>
        ),
      )}
    </div>
  );
}

function Paragraph({ text }: { text: string }) {
  return (
    <p dir="auto" className="whitespace-pre-wrap">
      {splitLinks(text).map(({ at, text: words, href }) =>
        href === null ? (
          <span key={at}>{words}</span>
        ) : (
          <a key={at} href={href} target="_blank" rel="noopener noreferrer" className="link">
            {words}
          </a>
        ),
      )}
    </p>
  );
}
