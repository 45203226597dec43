import Rss from 'lucide-react/icons/rss';
import { useState } from 'react';
import type { Feed } from '@matterdesk/contract/calendar-feeds.ts';
import { Button } from '../../../ui/Button.tsx';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { formatDay, localDay } from '../../../ui/days.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { revokeFeed } from '../api.feeds.ts';
import { describeFeed } from '../rules.feeds.ts';

/** Feeds, each of which can be revoked. */
export function FeedList({ feeds, onRevoked }: { feeds: readonly Feed[]; onRevoked: () => void }) {
  const [asked, setAsked] = useState<Feed | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const revoke = async (id: string) => {
    setIsBusy(true);
    await revokeFeed(id).then(onRevoked, () => undefined);
    setIsBusy(false);
    setAsked(null);
  };
  if (feeds.length === 0)
    return (
      <EmptyState icon={Rss} title="No feeds yet">
        A feed is a secret address that another calendar reads.
      </EmptyState>
    );
  return (
    <>
      <ul className="divide-y divide-line">
        {feeds.map((feed) => (
          <li key={feed.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5">
            <p className="min-w-0 grow basis-60 wrap-anywhere">
              <span className="font-medium">{feed.name}</span>
              <span className="block text-note text-ink-2">{describeFeed(feed)}</span>
              <span className="block text-note text-ink-3">{readInWords(feed)}</span>
            </p>
            <Button
              size="small"
              onClick={() => setAsked(feed)}
              aria-label={`Revoke the feed ${feed.name}`}
            >
              Revoke
            </Button>
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={asked !== null}
        title={`Revoke “${asked?.name ?? ''}”?`}
        confirmLabel="Revoke"
        busy={isBusy}
        onClose={() => setAsked(null)}
        onConfirm={() => void (asked && revoke(asked.id))}
      >
        Calendars that subscribed to it find nothing at its address from now on.
      </ConfirmDialog>
    </>
  );
}

function readInWords({ readAt, createdAt }: Feed): string {
  const dayOf = (at: string) => formatDay(localDay(new Date(at)), 'short');
  const read = readAt === null ? 'never read' : `last read ${dayOf(readAt)}`;
  return `Created ${dayOf(createdAt)}, ${read}`;
}
