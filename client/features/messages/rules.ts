import type { MessageStatus } from '@matterdesk/contract/message-statuses.ts';
import type {
  Consent,
  Conversation,
  NumberOffer,
  TextMessage,
} from '@matterdesk/contract/messages.ts';
import { folded } from '@matterdesk/contract/normalization.ts';
import { shortDay } from '../../core/words.ts';
import { localDay } from '../../ui/days.ts';

/** The placeholder of an empty conversation, with its date. */
export const PLACEHOLDER = { text: 'Please start chat from here...', day: '2024-03-17' };

const PHONE_REQUIRED = 'Phone Number is required';
const PHONE_WRONG = 'Phone Number must look like 1 234 567 8910';

const WITH_COUNTRY = [1, 3, 3, 4];
const US = [3, 3, 4];
const MAX_DIGITS = 11;

/** Formats typed digits in groups: '1 234 567 8910' with the country's digit, '234 567 8910' in the US. */
export function formatPhone(typed: string): string {
  const digits = typed.replaceAll(/\D/g, '').slice(0, MAX_DIGITS);
  const isUs = digits.length < MAX_DIGITS && !/^[01]/.test(digits);
  let at = 0;
  const parts = (isUs ? US : WITH_COUNTRY).map((length) => digits.slice(at, (at += length)));
  return parts.filter((part) => part !== '').join(' ');
}

/** The position of the caret in a formatted number, after the given count of digits. */
export function caretAfter(formatted: string, digits: number): number {
  let at = 0;
  for (let seen = 0; seen < digits && at < formatted.length; at += 1)
    if (formatted[at] !== ' ') seen += 1;
  return at;
}

/** Why a number cannot be added, if so. */
export function phoneError(text: string): string | undefined {
  if (text.trim() === '') return PHONE_REQUIRED;
  return /^(?:[1-9] \d{3}|[2-9]\d\d) \d{3} \d{4}$/.test(text.trim()) ? undefined : PHONE_WRONG;
}

/** '1 234 567 8910' as E.164, and so '234 567 8910'. */
export function typedToE164(text: string): string {
  const digits = text.replaceAll(/\s/g, '');
  return digits.length < MAX_DIGITS ? `+1${digits}` : `+${digits}`;
}

/** '$1.15 a month' */
export function priceInWords({
  amount,
  currency,
}: NonNullable<NumberOffer['monthlyPrice']>): string {
  const price = Number(amount).toLocaleString('en-US', { style: 'currency', currency });
  return `${price} a month`;
}

/** '+1 234 567 8910'; numbers of other lengths stay as they are. */
export function numberInWords(number: string): string {
  return /^\+\d{11}$/.test(number) ? `+${formatPhone(number)}` : number;
}

/** A contact's name, or else the number. */
export function nameOf({ name, phoneNumber }: Pick<Conversation, 'name' | 'phoneNumber'>): string {
  return name ?? numberInWords(phoneNumber);
}

/** The text for the avatar of a number without a name: '+5' for +1 518 555 0187. */
export function markOf(number: string): string {
  return number.replace(/^\+1?/, '+ ');
}

/** The contacts whose name, number or last message contains the text, regardless of case. */
export function matchingContacts(contacts: readonly Conversation[], text: string) {
  const wanted = folded(text.trim());
  if (wanted === '') return contacts;
  const digits = /^[\d\s()+.-]+$/.test(wanted) ? wanted.replaceAll(/\D/g, '') : '';
  return contacts.filter(({ name, phoneNumber, lastMessage }) => {
    if (digits !== '' && phoneNumber.includes(digits)) return true;
    const words = `${name ?? ''}\n${lastMessage?.body ?? ''}`;
    return folded(words).includes(wanted);
  });
}

/** The GSM 03.38 alphabet; characters of the extension table count twice. */
const gsm = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
    '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const gsmExtension = new Set('\f^{}\\[~]|€');

interface Size {
  /** The used units of the alphabet. */
  units: number;
  /** The units that the current segments hold. */
  capacity: number;
  segments: number;
}

/** The size of a text: 160 units of GSM-7, or 153 per segment; otherwise 70 of UCS-2, or 67 per segment. */
export function sizeOf(text: string): Size {
  const letters = [...text];
  const isGsm = letters.every((letter) => gsm.has(letter) || gsmExtension.has(letter));
  const weigh = (letter: string) => (isGsm ? (gsmExtension.has(letter) ? 2 : 1) : letter.length);
  const units = letters.reduce((sum, letter) => sum + weigh(letter), 0);
  const [alone, each] = isGsm ? [160, 153] : [70, 67];
  if (units <= alone) return { units, capacity: alone, segments: 1 };
  let segments = 1;
  let filled = 0;
  for (const letter of letters) {
    // A character is never split between segments.
    if (filled + weigh(letter) > each) {
      segments += 1;
      filled = 0;
    }
    filled += weigh(letter);
  }
  return { units, capacity: segments * each, segments };
}

const statusWords: Record<MessageStatus, string> = {
  queued: 'Queued',
  sending: 'Sending',
  sent: 'Sent',
  delivered: 'Delivered',
  undelivered: 'Not delivered',
  failed: 'Not sent',
  received: '',
  unknown: 'Delivery not confirmed yet',
};

export function statusInWords(status: MessageStatus): string {
  return statusWords[status];
}

export function hasFailed({ status }: Pick<TextMessage, 'status'>): boolean {
  return status === 'failed' || status === 'undelivered';
}

/** Groups messages by the reader's days. */
export function byDay(
  messages: readonly TextMessage[],
): { day: string; messages: TextMessage[] }[] {
  const days: { day: string; messages: TextMessage[] }[] = [];
  for (const message of messages) {
    const day = localDay(new Date(message.dateSent));
    const last = days.at(-1);
    if (last?.day === day) last.messages.push(message);
    else days.push({ day, messages: [message] });
  }
  return days;
}

const TOGETHER_MS = 5 * 60_000;

/** Whether a message shows its time, rather than a later message of the same sender. */
export function endsGroup(message: TextMessage, next: TextMessage | undefined): boolean {
  if (!next || next.from !== message.from || next.status !== message.status) return true;
  if (hasFailed(message) || message.status === 'unknown') return true;
  return Date.parse(next.dateSent) - Date.parse(message.dateSent) > TOGETHER_MS;
}

/** Why a contact cannot be texted; null otherwise. */
export function blockReasonOf(contact: Conversation, consent: Consent | null) {
  if (!isPhone(contact.phoneNumber)) return 'You can’t reply: this sender has no phone number.';
  if (consent?.keyword !== 'STOP') return null;
  return `${nameOf(contact)} opted out of texts. You can text again after they send START.`;
}

const consentWords = {
  STOP: { words: 'Opted out (STOP)', tone: 'red' },
  START: { words: 'Consent', tone: 'green' },
  HELP: { words: 'Sent HELP', tone: 'amber' },
} as const;

/** 'Opted out (STOP) on Nov 3' */
export function consentInWords({ keyword, at }: Consent, today: string) {
  const day = localDay(new Date(at));
  const { words, tone } = consentWords[keyword];
  return { words: `${words} on ${shortDay(day, today)}`, tone };
}

const shownTypes = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

/** Image types that every browser shows and that cannot run code. */
export function isPicture(mimeType: string): boolean {
  return shownTypes.has(mimeType);
}

/** The origin of a number: 'NY, US'. */
export function placeOf({ region, country }: Pick<NumberOffer, 'region' | 'country'>): string {
  return [region, country].filter((part) => part !== '').join(', ');
}

/** Whether a sender can be texted, unlike short codes and sender names. */
export function isPhone(number: string): boolean {
  return /^\+[1-9]\d{6,14}$/.test(number);
}

/** Texts that are chosen in a conversation, and the one that was pressed last. */
export type TextSelection = { ids: ReadonlySet<string>; last: string | null };

export const emptySelection: TextSelection = { ids: new Set(), last: null };

/**
 * The choice after a press on a text, which turns it on or off.
 * @param among all texts, in their order, where the press takes those between it and the last one along
 */
export function toggleText(
  before: TextSelection,
  id: string,
  among: readonly string[] = [],
): TextSelection {
  const isOn = !before.ids.has(id);
  const [from, to] = [among.indexOf(before.last ?? ''), among.indexOf(id)];
  const pressed =
    from === -1 || to === -1 ? [id] : among.slice(Math.min(from, to), Math.max(from, to) + 1);
  const ids = new Set(before.ids);
  for (const each of pressed)
    if (isOn) ids.add(each);
    else ids.delete(each);
  return { ids, last: id };
}
