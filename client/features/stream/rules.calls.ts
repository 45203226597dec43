import type { CallInput, FoundPerson, NewEntry } from '@matterdesk/contract/stream.ts';
import type { LoggedCall } from '../../core/call-card.ts';
import type { Option } from '../../ui/option.ts';
import { results } from './rules.ts';

/** The length of a call so far, or when its clock was stopped. */
export function secondsOf({ startedAt, seconds }: LoggedCall, now: number): number {
  return seconds ?? Math.max(0, Math.floor((now - startedAt) / 1000));
}

/** '2:14', '1:02:14' */
export function clockOf(seconds: number): string {
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const two = (part: number) => String(part).padStart(2, '0');
  const rest = two(seconds % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

const MAX_SECONDS = 86_400;

/** Seconds of '2:14', '1:02:14' or '12' minutes; null for anything else. */
export function parseDuration(text: string): number | null {
  const parts = text.trim().split(':');
  if (parts.length > 3 || !parts.every((part) => /^\d{1,4}$/.test(part))) return null;
  const numbers = parts.map(Number);
  const [a = 0, b = 0, c = 0] = numbers;
  const seconds =
    numbers.length === 1 ? a * 60 : numbers.length === 2 ? a * 60 + b : a * 3600 + b * 60 + c;
  return seconds <= MAX_SECONDS ? seconds : null;
}

/** A person as the call's other side; their only active matter, or the matter that the call began in. */
export function chosenFrom(
  { contact, phoneNumber, matters }: FoundPerson,
  before: Option | null,
): Pick<LoggedCall, 'contact' | 'number' | 'matter'> {
  const [only] = matters;
  const matter = before ?? (only && matters.length === 1 ? optionOf(only) : null);
  return { contact, number: phoneNumber, matter };
}

export function optionOf({ id, caseName, caseNo }: FoundPerson['matters'][number]): Option {
  return { id, label: caseName, ...(caseNo !== null && { number: caseNo }) };
}

/** 'Abara v. Northline Freight', '3 matters' */
export function mattersInWords({ matters }: FoundPerson): string {
  const [first] = matters;
  if (!first) return 'No active matter';
  return matters.length === 1 ? first.caseName : `${matters.length} matters`;
}

/** The result that a digit sets: alone outside of text fields, with Alt inside of them. */
export function resultFor(event: Pick<KeyboardEvent, 'code' | 'altKey'>, isInText: boolean) {
  const [, digit] = /^(?:Digit|Numpad)([1-6])$/.exec(event.code) ?? [];
  if (digit === undefined || event.altKey !== isInText) return undefined;
  return results[Number(digit) - 1]?.value;
}

const LOOKS_LIKE_NUMBER = /^[+\d][\d\s().-]{4,}$/;

/** The body that saves a call. */
export function toEntry(call: LoggedCall, now: number): NewEntry {
  const typed = call.typed.trim();
  const isNumber = LOOKS_LIKE_NUMBER.test(typed);
  const other: Pick<CallInput, 'contact' | 'name' | 'number'> = call.contact
    ? { contact: call.contact.id, name: null, number: call.number }
    : { contact: null, name: isNumber ? null : typed || null, number: isNumber ? typed : null };
  const { direction, result, text, startedAt } = call;
  return {
    kind: 'call',
    text,
    at: new Date(startedAt).toISOString(),
    call: { direction, ...other, seconds: secondsOf(call, now), result },
    mentions: [],
    files: [],
    answer: null,
  };
}

/** Whether the saved entry of a call already has everything. */
export function isSaved(call: LoggedCall, entry: NewEntry): boolean {
  return JSON.stringify(toEntry(call, Date.now())) === JSON.stringify(entry);
}

/** Why a call cannot be saved yet; null if it can. */
export function saveObstacleOf({ matter, result, text }: LoggedCall): string | null {
  if (!matter) return 'Please select a matter';
  return result === null && text.trim() === '' ? 'Pick a result, or write what was said' : null;
}
