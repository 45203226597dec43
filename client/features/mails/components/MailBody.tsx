import ImageOff from 'lucide-react/icons/image-off';
import { lazy, Suspense, useState } from 'react';
import type { MailDetail } from '@matterdesk/contract/mails.ts';
import { Button } from '../../../ui/Button.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { MessageText } from './MessageText.tsx';
import { useInlineImages } from './use-inline-images.ts';

const SafeHtml = lazy(async () => ({
  default: (await import('../../../ui/SafeHtml.tsx')).SafeHtml,
}));

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
        <Suspense fallback={<BodySkeleton />}>
          <SafeHtml
            html={mail.html}
            title="Message"
            allowRemoteImages={areImagesAllowed}
            inlineImages={images}
            onBlocked={setBlocked}
          />
        </Suspense>
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
