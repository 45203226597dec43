import { eventKinds } from '@matterdesk/contract/calendar.ts';
import type { Feed, FeedDetail, NewFeed } from '@matterdesk/contract/calendar-feeds.ts';

/** What a feed carries of each item, in words. */
export const details: { value: FeedDetail; label: string; hint: string }[] = [
  {
    value: 'brief',
    label: 'Kind and case number',
    hint: 'Such as “Hearing · 24-CV-0117”: no names, places or notes. The address lies with the provider of the other calendar, and who has it reads the feed.',
  },
  {
    value: 'full',
    label: 'Everything',
    hint: 'Titles, matters, places, links and notes. The provider of the other calendar stores them, and who has the address reads them.',
  },
  {
    value: 'busy',
    label: 'Busy times only',
    hint: 'When events take place, and nothing about them.',
  },
];

/** Kinds that a feed has together. */
export const choices = [
  { name: 'events', label: 'Events', kinds: eventKinds },
  { name: 'deadlines', label: 'Deadlines', kinds: ['deadline'] },
  { name: 'tasks', label: 'Tasks', kinds: ['task'] },
  { name: 'dates', label: 'Dates of matters', kinds: ['caseDate'] },
] as const;
export type Choice = (typeof choices)[number]['name'];

/** Whose items: those of one person, or everyone's. */
export type FeedInputs = {
  name: string;
  person: string;
  chosen: Record<Choice, boolean>;
  detail: FeedDetail;
};

export function emptyFeed(me: string | undefined): FeedInputs {
  const chosen = { events: true, deadlines: true, tasks: false, dates: false };
  return { name: 'Matterdesk', person: me ?? '', chosen, detail: 'brief' };
}

export function toNewFeed({ name, person, chosen, detail }: FeedInputs): NewFeed {
  const kinds = choices.filter((choice) => chosen[choice.name]).flatMap((choice) => choice.kinds);
  return { name, detail, kinds, people: person === '' ? [] : [person] };
}

/** 'Everyone · events, deadlines · Kind and case number' */
export function describeFeed({ people, kinds, detail, case: of }: Feed): string {
  const whose = people.map(({ firstName, lastName }) => `${firstName} ${lastName}`).join(', ');
  const what = choices
    .filter((choice) => kinds.length === 0 || choice.kinds.some((kind) => kinds.includes(kind)))
    .map(({ label }) => label.toLowerCase());
  const words = details.find(({ value }) => value === detail)?.label ?? '';
  return [whose || 'Everyone', of?.caseName, what.join(', '), words].filter(Boolean).join(' · ');
}

/** The address with which calendar programs open a subscription. */
export function toWebcal(url: string): string {
  return url.replace(/^https?:/, 'webcal:');
}

/** Whether only this machine reaches an address. */
export function isLocal(url: string): boolean {
  return /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(new URL(url).hostname);
}
