// Notes and calls as other systems write them.

import type { CallInput, CallResult } from '@matterdesk/contract/stream.ts';
import { joinLines, plainLine } from './rules.cells.ts';

const MAX_SECONDS = 86_400;
const MAX_NUMBER_LENGTH = 40;
const MAX_NAME_LENGTH = 200;

const directions: Record<CallInput['direction'], RegExp> = {
  in: /^in$|\b(?:inbound|incoming|received|call from)\b/i,
  out: /^out$|\b(?:outbound|outgoing|placed|dialed|made|call to)\b/i,
};

/** Undefined for a word that says neither, or both. */
export function directionOf(word = ''): CallInput['direction'] | undefined {
  const written = word.trim();
  const [isIn, isOut] = [directions.in.test(written), directions.out.test(written)];
  if (isIn === isOut) return undefined;
  return isIn ? 'in' : 'out';
}

const results: [CallResult, RegExp][] = [
  ['wrongNumber', /wrong|bad number|disconnected|not in service/i],
  ['leftMessage', /left|message|voice ?mail|^l?vm$|^lm$/i],
  ['callBack', /call(?:ed)? ?back/i],
  ['noAnswer', /no ?answer|not answered|unanswered|missed|not reached|unsuccessful|failed/i],
  ['busy', /busy|engaged/i],
  ['reached', /reached|answered|connected|spoke|talked|completed|success/i],
];

/** Undefined for a word that no result means. */
export function resultOf(word = ''): CallResult | undefined {
  return results.find(([, pattern]) => pattern.test(word))?.[0];
}

const CLOCK = /^(?:(\d{1,2}):)?(\d{1,3}):(\d{2})$/;

/** Seconds of a call from seconds, from minutes, or from '1:02:30'; null for what is no length. */
export function secondsOf({ seconds, minutes }: { seconds?: string; minutes?: string }) {
  const written = (seconds ?? minutes ?? '').trim();
  const [clock, hours, whole, rest] = CLOCK.exec(written) ?? [];
  const number = /^\d{1,6}(?:[.,]\d{1,6})?$/.test(written)
    ? Number(written.replace(',', '.')) * (seconds === undefined ? 60 : 1)
    : Number.NaN;
  const found = clock
    ? Number(hours ?? 0) * 3600 + Number(whole) * 60 + Number(rest)
    : Math.round(number);
  return Number.isInteger(found) && found <= MAX_SECONDS ? found : null;
}

export type CallCells = {
  direction?: string;
  with?: string;
  number?: string;
  seconds?: string;
  minutes?: string;
  result?: string;
};

/** A call as far as its words say it, and the lines of what they do not say. */
export type ReadCall = { call: CallInput | null; lines: string[] };

/** Without a direction there is no call, only a note that says so. @param contact the contact of that name */
export function callOf(cells: CallCells, contact: string | null): ReadCall {
  const direction = directionOf(cells.direction);
  const [result, seconds] = [resultOf(cells.result), secondsOf(cells)];
  const [person, number] = [plainLine(cells.with), plainLine(cells.number)];
  const length = cells.seconds ?? cells.minutes;
  const unit = cells.seconds === undefined ? 'minutes' : 'seconds';
  const known = { result: direction && result, seconds: direction && seconds };
  const line = (label: string, text = '', isKnown = false) =>
    text === '' || isKnown ? '' : `${label}: ${plainLine(text)}`;
  const lines = [
    direction ? '' : 'Call',
    line('Direction', cells.direction, direction !== undefined),
    line('With', person, direction !== undefined && person.length <= MAX_NAME_LENGTH),
    line('Number', number, direction !== undefined && number.length <= MAX_NUMBER_LENGTH),
    typeof known.seconds === 'number' ? '' : line('Duration', length && `${length} ${unit}`),
    line('Result', cells.result, known.result !== undefined),
  ].filter((each) => each !== '');
  if (!direction) return { call: null, lines };
  const call: CallInput = {
    direction,
    contact,
    name: contact === null && person !== '' && person.length <= MAX_NAME_LENGTH ? person : null,
    number: number !== '' && number.length <= MAX_NUMBER_LENGTH ? number : null,
    seconds,
    result: result ?? null,
  };
  return { call, lines };
}

/** The subject and the text of a note, each once. */
export function noteText({ subject, text }: Record<'subject' | 'text', string>): string {
  return joinLines([text.startsWith(subject) ? null : subject, text]);
}
