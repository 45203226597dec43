import { LinkToHandOver } from '../../../ui/LinkToHandOver.tsx';
import { isLocal, toWebcal } from '../rules.feeds.ts';

/** The address of a new feed, and how other calendars take it. */
export function FeedAddress({ url }: { url: string }) {
  return (
    <div className="space-y-4">
      <LinkToHandOver
        url={url}
        hint="Shown once. Anyone who has it reads the feed; revoke it here when it is no longer needed."
      />
      <p>
        <a className="link" href={toWebcal(url)}>
          Open in this computer’s calendar
        </a>
      </p>
      <ul className="list-disc space-y-1 pl-5 text-sm text-ink-2">
        <li>Google Calendar: Other calendars, From URL. It may take a day to show a change.</li>
        <li>Outlook: Add calendar, Subscribe from web. It asks every few hours.</li>
        <li>Apple Calendar: File, New Calendar Subscription.</li>
        {isLocal(url) && (
          <li className="text-amber">
            Only this computer reaches the address: Google and Outlook on the web can’t. An
            administrator sets PUBLIC_URL.
          </li>
        )}
      </ul>
    </div>
  );
}
