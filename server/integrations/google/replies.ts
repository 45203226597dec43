import * as z from 'zod/mini';

// Gmail leaves out what is empty; an emulator may send null.
const text = z.nullish(z.string());
const number = z.nullish(z.number());
/** A 64-bit number, which Gmail writes as text. */
const large = z.nullish(z.union([z.string(), z.number()]));

function listOf<Item extends z.ZodMiniType>(item: Item) {
  return z.nullish(z.array(item));
}

const PartSchema = z.object({
  mimeType: text,
  filename: text,
  headers: listOf(z.object({ name: text, value: text })),
  get parts() {
    return listOf(PartSchema);
  },
});
export type MessagePart = z.output<typeof PartSchema>;

export const MessageSchema = z.object({
  id: text,
  threadId: text,
  labelIds: listOf(z.string()),
  snippet: text,
  historyId: large,
  internalDate: large,
  sizeEstimate: number,
  payload: z.nullish(PartSchema),
});
export type GmailMessage = z.output<typeof MessageSchema>;

const id = z.string().check(z.minLength(1));
const NamedSchema = z.object({ id });

export const ProfileSchema = z.object({ emailAddress: text, historyId: large });

export const MessageListSchema = z.object({
  messages: listOf(NamedSchema),
  nextPageToken: text,
  resultSizeEstimate: number,
});

export const LabelSchema = z.object({ messagesTotal: number, messagesUnread: number });

export const ThreadSchema = z.object({ messages: listOf(MessageSchema) });

export const DraftSchema = z.object({ id, message: z.nullish(MessageSchema) });

export const DraftListSchema = z.object({
  drafts: listOf(z.object({ id, message: z.nullish(NamedSchema) })),
});

export const HistorySchema = z.object({
  history: listOf(
    z.object({
      messagesAdded: listOf(
        z.object({ message: z.nullish(z.object({ id, labelIds: listOf(z.string()) })) }),
      ),
    }),
  ),
  historyId: large,
  nextPageToken: text,
});

export const WatchSchema = z.object({ expiration: large });

/** For changes whose reply says nothing new. */
export const AnySchema = z.object({});

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
