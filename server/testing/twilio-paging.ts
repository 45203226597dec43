import type { Answer } from './stand-in.ts';

type Listed = { sid?: string; phone_number?: string };

const MOST = 1000;
const USUAL = 50;

/**
 * One page of a list in Twilio's form. The next page's URL keeps the filters and starts after the last
 * entry of this one, whatever was added since.
 */
export function page<Entry extends Listed>(
  name: string,
  entries: Entry[],
  { path, query }: { path: string; query: URLSearchParams },
): Answer {
  const size = Math.min(MOST, Math.max(1, Number(query.get('PageSize')) || USUAL));
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
