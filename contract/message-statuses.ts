/** States of a text on its way, which the stream of a matter shows, too. */
export const messageStatuses = [
  'queued',
  'sending',
  'sent',
  'delivered',
  'undelivered',
  'failed',
  'received',
  'unknown',
] as const;
export type MessageStatus = (typeof messageStatuses)[number];
