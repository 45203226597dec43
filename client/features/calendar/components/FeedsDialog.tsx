import Rss from 'lucide-react/icons/rss';
import { useState } from 'react';
import {
  type Feed,
  type FeedDetail,
  type NewFeed,
  feedRoutes,
} from '@matterdesk/contract/calendar-exchange.ts';
import { eventKinds } from '@matterdesk/contract/calendar.ts';
import { SelectField, TextField } from '../../../core/fields.tsx';
import { useSave } from '../../../core/form.ts';
import { FormDialog } from '../../../core/FormDialog.tsx';
import { fullName, personOption } from '../../../core/full-name.ts';
import { mutation } from '../../../core/mutation.ts';
import { usePeople } from '../../../core/people.ts';
import { useAppSelector } from '../../../core/store.ts';
import { useAttempt } from '../../../core/use-attempt.ts';
import { useRead, readQuietly } from '../../../core/use-read.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { formatDay, localDay } from '../../../ui/days.ts';
import { Dialog, DialogClose } from '../../../ui/Dialog.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { OneTimeLink } from '../../../ui/OneTimeLink.tsx';
import { RadioGroup } from '../../../ui/RadioGroup.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';

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

/** The address of a new feed, with instructions for other calendars. */
function FeedAddress({ url }: { url: string }) {
  return (
    <div className="space-y-4">
      <OneTimeLink
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
        <li>Outlook: Add calendar, Subscribe from web. It updates every few hours.</li>
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

/** Feeds, each of which can be revoked. */
function FeedList({ feeds, onRevoked }: { feeds: readonly Feed[]; onRevoked: () => void }) {
  const [asked, setAsked] = useState<Feed | null>(null);
  const { isBusy, attempt } = useAttempt();
  const revoke = async (id: string) => {
    if (await attempt(id, () => revokeFeed({ params: { id } }))) onRevoked();
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
        Calendars subscribed to it stop updating.
      </ConfirmDialog>
    </>
  );
}

function readInWords({ readAt, createdAt }: Feed): string {
  const dayOf = (at: string) => formatDay(localDay(new Date(at)), 'short');
  const read = readAt === null ? 'never read' : `last read ${dayOf(readAt)}`;
  return `Created ${dayOf(createdAt)}, ${read}`;
}

interface FeedFormProps {
  onClose: () => void;
  onAdded: (url: string) => void;
}

/** 'New feed': a person or everyone, the kinds of items, and their details. */
function FeedForm({ onClose, onAdded }: FeedFormProps) {
  const me = useAppSelector((state) => state.user.current?.id);
  const { people } = usePeople();
  const saving = useSave<FeedInputs, FeedInputs>(null, emptyFeed(me), async (inputs) =>
    onAdded((await addFeed({ body: toNewFeed(inputs) })).url),
  );
  const { form } = saving;
  const [chosen, detail] = [form.watch('chosen'), form.watch('detail')];
  return (
    <FormDialog
      saving={saving}
      title="New feed"
      submit="Create feed"
      disabled={!choices.some(({ name }) => chosen[name])}
      onClose={onClose}
    >
      <TextField form={form} name="name" label="Name" hint="Other calendars show it." wide />
      <SelectField
        form={form}
        name="person"
        label="Whose"
        placeholder="Everyone"
        options={people
          .filter(({ active }) => active)
          .map((person) =>
            person.id === me ? { value: me, label: 'Mine' } : personOption(person),
          )}
        wide
      />
      <fieldset className="min-w-0 sm:col-span-2">
        <legend className="mb-[5px] text-sm font-medium">What</legend>
        <div className="flex flex-wrap gap-x-5 gap-y-1">
          {choices.map(({ name, label }) => (
            <Checkbox key={name} label={label} {...form.register(`chosen.${name}`)} />
          ))}
        </div>
      </fieldset>
      <div className="sm:col-span-2">
        <RadioGroup legend="How much of each" options={details} {...form.register('detail')} />
        <p className="mt-1 text-note text-ink-3">
          {details.find(({ value }) => value === detail)?.hint}
        </p>
      </div>
    </FormDialog>
  );
}

/** Choices of what a feed says about each item. */
const details: { value: FeedDetail; label: string; hint: string }[] = [
  {
    value: 'brief',
    label: 'Kind and case number',
    hint: 'Such as “Hearing · 24-CV-0117”: no names, places or notes. The other calendar’s provider stores the address, and anyone who has it can read the feed.',
  },
  {
    value: 'full',
    label: 'Everything',
    hint: 'Titles, matters, places, links and notes. The other calendar’s provider stores them, and anyone who has the address can read them.',
  },
  {
    value: 'busy',
    label: 'Busy times only',
    hint: 'When events take place, and nothing about them.',
  },
];

/** Kinds that a feed has together. */
const choices = [
  { name: 'events', label: 'Events', kinds: eventKinds },
  { name: 'deadlines', label: 'Deadlines', kinds: ['deadline'] },
  { name: 'tasks', label: 'Tasks', kinds: ['task'] },
  { name: 'dates', label: 'Dates of matters', kinds: ['caseDate'] },
] as const;
type Choice = (typeof choices)[number]['name'];

/** An empty `person` means everyone. */
type FeedInputs = {
  name: string;
  person: string;
  chosen: Record<Choice, boolean>;
  detail: FeedDetail;
};

function emptyFeed(me: string | undefined): FeedInputs {
  const chosen = { events: true, deadlines: true, tasks: false, dates: false };
  return { name: 'Matterdesk', person: me ?? '', chosen, detail: 'brief' };
}

function toNewFeed({ name, person, chosen, detail }: FeedInputs): NewFeed {
  const kinds = choices.filter((choice) => chosen[choice.name]).flatMap((choice) => choice.kinds);
  return { name, detail, kinds, people: person === '' ? [] : [person] };
}

/** 'Everyone · events, deadlines · Kind and case number' */
function describeFeed({ people, kinds, detail, case: of }: Feed): string {
  const whose = people.map(fullName).join(', ');
  const what = choices
    .filter((choice) => kinds.length === 0 || choice.kinds.some((kind) => kinds.includes(kind)))
    .map(({ label }) => label.toLowerCase());
  const words = details.find(({ value }) => value === detail)?.label ?? '';
  return [whose || 'Everyone', of?.caseName, what.join(', '), words].filter(Boolean).join(' · ');
}

/** The address with which calendar programs open a subscription. */
function toWebcal(url: string): string {
  return url.replace(/^https?:/, 'webcal:');
}

/** Whether only this machine reaches an address. */
function isLocal(url: string): boolean {
  return /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(new URL(url).hostname);
}

async function listFeeds() {
  return (await readQuietly(feedRoutes.listFeeds)).feeds;
}

/** Resolves with the feed and its address, which is not shown again. */
const addFeed = mutation(feedRoutes.addFeed, 'Couldn’t make the feed', { toasts: 'errors' });

const revokeFeed = mutation(feedRoutes.revokeFeed, 'Couldn’t revoke the feed');
