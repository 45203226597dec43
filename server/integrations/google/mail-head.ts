import type { GmailMessage, MessagePart } from './replies.ts';

/** A listed mail from Gmail: headers still encoded, the snippet with entities. */
export type MailHead = {
  id: string;
  threadId: string;
  labels: string[];
  snippet: string;
  /** Arrival in milliseconds since 1970. */
  arrivedAt: number;
  /** Bytes, as Gmail estimates. */
  size: number;
  headers: { name: string; value: string }[];
  parts: MailPart[];
};
export type MailPart = { mimeType: string; isNamed: boolean; isInline: boolean };

const PART = 'mimeType,filename,headers';
/** Everything that lists show, without the body. */
export const HEAD_FIELDS = `id,threadId,labelIds,snippet,internalDate,sizeEstimate,payload(${PART},parts(${PART},parts(${PART},parts(${PART}))))`;

export function toHead(message: GmailMessage): MailHead {
  return {
    id: message.id ?? '',
    threadId: message.threadId ?? '',
    labels: message.labelIds ?? [],
    snippet: message.snippet ?? '',
    arrivedAt: Number(message.internalDate ?? 0),
    size: message.sizeEstimate ?? 0,
    headers: headersOf(message.payload),
    parts: leavesOf(message.payload),
  };
}

export function headersOf(part: MessagePart | null | undefined) {
  return (part?.headers ?? []).map(({ name, value }) => ({ name: name ?? '', value: value ?? '' }));
}

function leavesOf(part: MessagePart | null | undefined): MailPart[] {
  if (part?.parts && part.parts.length > 0) return part.parts.flatMap(leavesOf);
  const headers = new Map(headersOf(part).map(({ name, value }) => [name.toLowerCase(), value]));
  const disposition = headers.get('content-disposition')?.trim().toLowerCase() ?? '';
  return [
    {
      mimeType: part?.mimeType ?? '',
      isNamed: Boolean(part?.filename) || disposition.startsWith('attachment'),
      isInline: headers.has('content-id') && !disposition.startsWith('attachment'),
    },
  ];
}
