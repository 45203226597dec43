import * as z from 'zod/mini';
import { CurrentUserSchema } from './accounts.ts';
import { messageStatuses } from './message-statuses.ts';
import { PAGE_SIZE_MAX } from './paging.ts';
import { defineRoute } from './route.ts';
import { email, id, line, missingOr, paragraphs } from './text.ts';

/** State of a number's carrier registration in the US: A2P 10DLC, or toll-free verification. */
export const registrationStates = ['registered', 'inReview', 'rejected', 'missing'] as const;
export type RegistrationState = (typeof registrationStates)[number];

export const MESSAGE_REQUIRED = 'Please enter message';
/** Twilio's limit (error 21617). */
export const MESSAGE_LENGTH_MAX = 1600;

const text = z.string();

export const TextMessageSchema = z.object({
  id: text,
  /** E.164, like `to`. */
  from: text,
  to: text,
  body: text,
  /** UTC. */
  dateSent: text,
  status: z.enum(messageStatuses),
  /** `code` is Twilio's, 0 for failures without one; null for every other status. */
  error: z.nullable(z.object({ code: z.number(), message: text })),
  media: z.array(z.object({ url: text, mimeType: text })),
});
export type TextMessage = z.infer<typeof TextMessageSchema>;

export const ConversationSchema = z.object({
  phoneNumber: text,
  unread: z.number(),
  lastMessage: z.nullable(TextMessageSchema),
  /** Name of the client or counsel with this number; null for strangers. */
  name: z.nullable(text),
  /** Their case; null where several are active, or several are archived and none is active. */
  caseId: z.nullable(text),
});
export type Conversation = z.infer<typeof ConversationSchema>;

/** The consent keyword in effect between two numbers: STOP until START, else the latest. */
export const ConsentSchema = z.object({ keyword: z.enum(['STOP', 'START', 'HELP']), at: text });
export type Consent = z.infer<typeof ConsentSchema>;

export const NumberOfferSchema = z.object({
  friendlyName: text,
  phoneNumber: text,
  country: text,
  region: text,
  capabilities: z.object({ voice: z.boolean(), SMS: z.boolean(), MMS: z.boolean() }),
  /** Such as '1.15' USD; absent when Twilio does not report it. */
  monthlyPrice: z.optional(z.object({ amount: text, currency: text })),
});
export type NumberOffer = z.infer<typeof NumberOfferSchema>;

/** E.164: a plus and up to fifteen digits. */
export function phone(label: string) {
  const wrong = `${label} must be a phone number such as +12345678910`;
  return z
    .string({ error: missingOr(`${label} is required`, wrong) })
    .check(
      z.trim(),
      z.minLength(1, { error: `${label} is required`, abort: true }),
      z.regex(/^\+[1-9]\d{6,14}$/, wrong),
    );
}

const pair = { from: phone('From'), to: phone('To') };
const limitText = `Limit must be a whole number from 1 to ${PAGE_SIZE_MAX}`;

export const NewTextSchema = z.strictObject({
  ...pair,
  message: paragraphs('Message', { required: MESSAGE_REQUIRED, max: MESSAGE_LENGTH_MAX }),
});
export type NewText = z.infer<typeof NewTextSchema>;

/** Senders can also be short codes, names or other channels (`whatsapp:+…`). */
const partner = z
  .string({
    error: missingOr('To is required', 'To must be a phone number or the name of a sender'),
  })
  .check(
    z.trim(),
    z.minLength(1, { error: 'To is required', abort: true }),
    z.regex(
      /^((?:[a-z]{1,20}:)?\+[1-9]\d{6,14}|[A-Za-z0-9][A-Za-z0-9 &+_.-]{0,29})$/,
      'To must be a phone number or the name of a sender',
    ),
  );

export const HistoryQuerySchema = z.strictObject({
  from: pair.from,
  to: partner,
  limit: z.optional(z.int(limitText).check(z.gte(1, limitText), z.lte(PAGE_SIZE_MAX, limitText))),
  cursor: z.optional(line('Cursor', { max: 500 })),
});
export type HistoryQuery = z.infer<typeof HistoryQuerySchema>;

export const messageRoutes = {
  listConversations: defineRoute({
    method: 'GET',
    path: '/api/v1/messages/conversationList',
    summary: "The caller's conversations, newest first",
    access: 'signedIn',
    reply: z.object({ phoneNumbers: z.array(text), conversations: z.array(ConversationSchema) }),
    message: 'OK',
  }),
  readHistory: defineRoute({
    method: 'POST',
    path: '/api/v1/messages/messagesHistory',
    summary: 'A page of one conversation, oldest first, pages from the newest; read from then on',
    access: 'signedIn',
    body: HistoryQuerySchema,
    reply: z.object({ messages: z.array(TextMessageSchema), nextCursor: z.nullable(text) }),
    message: 'OK',
  }),
  sendText: defineRoute({
    method: 'POST',
    path: '/api/v1/messages/sendMessage',
    summary: "Sends a text from the caller's own number",
    access: 'signedIn',
    needs: 'twilio',
    body: NewTextSchema,
    idempotent: true,
    reply: z.object({ message: TextMessageSchema }),
    message: 'Your message has been sent successfully',
  }),
  listOffers: defineRoute({
    method: 'GET',
    path: '/api/v1/messages/availablePhoneNumber',
    summary: 'Phone numbers for sale',
    access: 'signedIn',
    needs: 'twilio',
    query: z.object({
      country: z.optional(
        z.string().check(z.regex(/^[A-Z]{2}$/, 'Country must be two capital letters such as US')),
      ),
      areaCode: z.optional(
        z.string().check(z.regex(/^\d{3}$/, 'Area Code must have three digits')),
      ),
    }),
    reply: z.object({ numbers: z.array(NumberOfferSchema) }),
    message: 'OK',
  }),
  buyNumber: defineRoute({
    method: 'POST',
    path: '/api/v1/messages/buyNumber',
    summary: 'Buys a number for the caller, which turns messaging on',
    access: 'signedIn',
    needs: 'twilio',
    body: z.strictObject({
      phoneNumber: phone('Phone Number'),
      email: email('Email'),
    }),
    idempotent: true,
    reply: z.object({ data: CurrentUserSchema }),
    message: 'Messaging is enabled',
  }),
  exportConversation: defineRoute({
    method: 'POST',
    path: '/api/v1/messages/export',
    summary: "Saves a PDF transcript of a conversation with the case's files",
    access: 'signedIn',
    body: z.strictObject({ from: pair.from, to: partner, caseId: id('Please select any case') }),
    reply: z.object({ url: text }),
    status: 201,
    message: 'Conversation exported',
  }),
  readNumber: defineRoute({
    method: 'GET',
    path: '/api/v1/messages/number',
    summary: "The caller's number, its registration and any delivery warning",
    access: 'signedIn',
    reply: z.object({
      phoneNumber: z.nullable(text),
      /** Null when none is required, or while Twilio's answer is pending. */
      registration: z.nullable(z.enum(registrationStates)),
      /** Why texts may not arrive and what to do; null without a problem. */
      notice: z.nullable(text),
    }),
    message: 'OK',
  }),
  readConsent: defineRoute({
    method: 'GET',
    path: '/api/v1/messages/consent',
    summary: "A contact's last consent keyword for the caller's number: STOP, START or HELP",
    access: 'signedIn',
    query: z.object({ to: partner }),
    reply: z.object({ consent: z.nullable(ConsentSchema) }),
    message: 'OK',
  }),
  readMedia: defineRoute({
    method: 'GET',
    path: '/api/v1/messages/media/{mediaId}',
    summary:
      'An attachment of a text, for the owner of the number; the session cookie opens it too',
    access: 'signedIn',
    cookie: true,
    message: 'OK',
  }),
};

export const textWebhookRoutes = {
  receiveText: defineRoute({
    method: 'POST',
    path: '/api/v1/messages/webhook/inbound',
    summary: 'Twilio’s notice of an inbound text; answered with TwiML',
    access: 'anyone',
    form: true,
    message: 'OK',
  }),
  receiveStatus: defineRoute({
    method: 'POST',
    path: '/api/v1/messages/webhook/status',
    summary: 'Twilio’s status update of a sent text',
    access: 'anyone',
    form: true,
    status: 204,
    message: 'OK',
  }),
};
