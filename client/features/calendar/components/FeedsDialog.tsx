import { useState } from 'react';
import { useRead } from '../../../core/use-read.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogClose } from '../../../ui/DialogClose.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { listFeeds } from '../api.feeds.ts';
import { FeedAddress } from './FeedAddress.tsx';
import { FeedForm } from './FeedForm.tsx';
import { FeedList } from './FeedList.tsx';

/** The reader's feeds, and a new one, whose address is shown once. */
export function FeedsDialog({ onClose }: { onClose: () => void }) {
  const { data: feeds, isFailed, refresh } = useRead(listFeeds);
  const [step, setStep] = useState<'list' | 'form' | { url: string }>('list');
  if (step === 'form')
    return (
      <FeedForm
        onClose={onClose}
        onAdded={(url) => {
          setStep({ url });
          refresh();
        }}
      />
    );
  const isNew = step !== 'list';
  return (
    <Dialog
      open
      onClose={onClose}
      title={isNew ? 'Feed created' : 'Subscribe'}
      subtitle="Outlook, Google Calendar and Apple Calendar show this calendar and keep it up to date."
      footer={
        <>
          <DialogClose>Close</DialogClose>
          {!isNew && feeds !== undefined && (
            <Button variant="primary" onClick={() => setStep('form')}>
              New feed
            </Button>
          )}
        </>
      }
    >
      {isNew ? <FeedAddress url={step.url} /> : null}
      {!isNew && feeds === undefined && isFailed && (
        <ErrorState title="Couldn’t load the feeds" busy={false} onRetry={refresh} />
      )}
      {!isNew && feeds === undefined && !isFailed && <Skeleton className="h-11 w-full" />}
      {!isNew && feeds !== undefined && <FeedList feeds={feeds} onRevoked={refresh} />}
    </Dialog>
  );
}
