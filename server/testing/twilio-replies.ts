import type { StandInReply } from './stand-in.ts';

/** Twilio's messages by code; `…` stands for the value. */
const MESSAGES: Record<number, string> = {
  20003: 'Authenticate',
  20404: 'The requested resource … was not found',
  20429: 'Too Many Requests',
  20500: 'An internal server error has occurred',
  21211: "Invalid 'To' Phone Number: …",
  21212: 'Invalid From Number (caller ID): …',
  21266: "'To' and 'From' number cannot be the same: …",
  21408:
    "Permission to send an SMS has not been enabled for the region indicated by the 'To' number: …",
  21421: 'PhoneNumber is invalid: …',
  21422: '… is not available',
  21452: 'No phone numbers found in area code …',
  21602: 'Message body is required.',
  21603: "A 'From' phone number is required.",
  21604: "A 'To' phone number is required.",
  21606:
    "The 'From' phone number … is not a valid, SMS-capable inbound phone number or short code for your account.",
  21610: 'Attempt to send to unsubscribed recipient',
  21612: "The 'To' phone number: …, is not currently reachable using the 'From' phone number",
  21614: "'To' number is not a valid mobile number: …",
  21615: 'Phone Number Requires a Local Address but the address parameter was empty: …',
  21617: 'The concatenated message body exceeds the 1600 character limit',
  21620: 'Invalid media URL(s): …',
  30003: 'Unreachable destination handset',
  30005: 'Unknown destination handset',
  30006: 'Landline or unreachable carrier',
  30007: 'Message filtered',
  30008: 'Unknown error',
  30032: 'Toll-Free Number Has Not Been Verified',
  30034: 'US A2P 10DLC - Message from an Unregistered Number',
};

const STATUSES: Record<number, number> = { 20003: 401, 20404: 404, 20429: 429, 20500: 500 };

/** Twilio's refusal with this code. */
export function refuse(code: number, about = ''): StandInReply {
  const status = STATUSES[code] ?? 400;
  return { status, body: twilioError(status, code, about) };
}

/** Its body; a missing code is derived from the status. */
export function twilioError(status: number, code = usualCode(status), about = ''): object {
  const message = textOf(code).replace('…', about);
  return { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status };
}

export function textOf(code: number): string {
  return MESSAGES[code] ?? `Error ${code}`;
}

function usualCode(status: number): number {
  if (status === 401) return 20_003;
  if (status === 404) return 20_404;
  return status === 429 ? 20_429 : 20_500;
}

type Listed = { sid?: string; phone_number?: string };

const MAX_PAGE_SIZE = 1000;
const DEFAULT_PAGE_SIZE = 50;

/**
 * One page of a list in Twilio's form. The next page's URL keeps the filters and starts after the last
 * entry of this one, whatever was added since.
 */
export function page<Entry extends Listed>(
  name: string,
  entries: Entry[],
  { path, query }: { path: string; query: URLSearchParams },
): StandInReply {
  const size = Math.min(
    MAX_PAGE_SIZE,
    Math.max(1, Number(query.get('PageSize')) || DEFAULT_PAGE_SIZE),
  );
  const number = Number(query.get('Page') ?? 0);
  const token = query.get('PageToken')?.replace(/^PA/, '');
  const found = token === undefined ? number * size : after(entries, token);
  const shown = entries.slice(found, found + size);
  const hasMore = found + size < entries.length;
  const address = (target: number, last: Entry | undefined) => {
    const next = new URLSearchParams(query);
    next.set('PageSize', String(size));
    next.set('Page', String(target));
    next.delete('PageToken');
    if (last) next.set('PageToken', `PA${idOf(last)}`);
    return `${path}?${next.toString()}`;
  };
  return {
    status: 200,
    body: {
      [name]: shown,
      first_page_uri: address(0, undefined),
      next_page_uri: hasMore ? address(number + 1, shown.at(-1)) : null,
      previous_page_uri: number > 0 ? address(number - 1, entries[found - size - 1]) : null,
      page: number,
      page_size: size,
      start: found,
      end: Math.max(found, found + shown.length - 1),
      uri: `${path}?${query.toString()}`,
    },
  };
}

function after(entries: Listed[], token: string): number {
  const index = entries.findIndex((entry) => idOf(entry) === token);
  return index === -1 ? entries.length : index + 1;
}

function idOf(entry: Listed): string {
  return entry.sid ?? entry.phone_number ?? '';
}
