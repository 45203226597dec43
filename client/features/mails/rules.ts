import type { MailboxAddress } from '@matterdesk/contract/mails.ts';
import { fullMoment } from '../../core/words.ts';

/** The name, 'Piet Voss', or else the address. */
export function nameOf(address: MailboxAddress | null): string {
  return address?.name || address?.email || '(no address)';
}

const TITLES = /^(?:dr|mr|mrs|ms|mx|prof|hon|judge|rev|sir)\.?$/i;
const SUFFIXES =
  /^(?:esq|jr|sr|ii|iii|iv|inc|llc|llp|ltd|corp|p\.?c|ph\.?d|m\.?d|j\.?d|cpa|llm)\.?$/i;

/** First and last name, for initials: 'Jane Doe' for 'Dr. Jane M. Doe, Esq.', for 'Doe, Jane' and for jane.doe@firm.example. */
export function personOf(address: MailboxAddress | null): string {
  const { name = '', email = '' } = address ?? {};
  const isAddressed = name.trim() === '' || name.includes('@');
  const text = isAddressed
    ? (email.split('@')[0] ?? '').replaceAll(/[._+-]/g, ' ')
    : name.replaceAll(/\([^()]{0,100}\)|["“”]/g, ' ');
  const [last = [], ...first] = text
    .split(',')
    .map(wordsOf)
    .filter(({ length }) => length > 0);
  const words = [...first.flat(), ...last];
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends.join(' ') || '?';
}

function wordsOf(text: string): string[] {
  const words = text.split(/\s+/).map((word) => word.replace(/^[^\p{L}\p{N}]+/u, ''));
  return words.filter((word) => word !== '' && !TITLES.test(word) && !SUFFIXES.test(word));
}

/** 'Piet Voss <voss@example.com>' */
export function addressInWords({ name, email }: MailboxAddress): string {
  return name === '' || name === email ? email : `${name} <${email}>`;
}

export function subjectOf(subject: string): string {
  return subject.trim() === '' ? '(no subject)' : subject;
}

/** The age of the shown list. */
export function ageInWords(readAt: string | null, now: Date): string {
  if (readAt === null) return '\u00A0';
  const minutes = Math.floor((now.getTime() - Date.parse(readAt)) / 60_000);
  if (minutes < 1) return 'Updated just now';
  return minutes < 60 ? `Updated ${minutes} min ago` : `Updated ${fullMoment(readAt)}`;
}
