import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { NamedAddress } from './summary.ts';

/** An attachment of that many bytes, read while the mail is sent; `isMessage` for a whole mail. */
export type Enclosure = {
  name: string;
  size: number;
  open: () => Promise<NodeJS.ReadableStream>;
  isMessage: boolean;
};

/** An invitation for calendar programs, which show buttons for it, beside the text. */
export type CalendarPart = { method: 'REQUEST' | 'CANCEL'; text: string };

export type ComposedMail = {
  from: NamedAddress;
  to: string[];
  cc: string[];
  bcc: string[];
  subject: string;
  text: string;
  /** The same, formatted; sent as it is. */
  html?: string | undefined;
  /** Chosen here where a mail that is sent again must be known as the same. */
  messageId?: string;
  /** Message-IDs with their brackets. */
  inReplyTo: string | undefined;
  references: string[];
  enclosures: Enclosure[];
  calendar: CalendarPart | undefined;
};

/**
 * Composes a MIME message anew whenever it is opened, so that none is kept in memory. Reads nothing from disk or network,
 * whatever an attachment's name.
 */
export function compose({
  from,
  html,
  enclosures,
  inReplyTo,
  calendar,
  ...writing
}: ComposedMail): () => Readable {
  return () => {
    const composer = new MailComposer({
      ...writing,
      ...(html !== undefined && { html }),
      ...(inReplyTo !== undefined && { inReplyTo }),
      from: { name: from.name, address: from.email },
      ...(calendar && {
        icalEvent: { method: calendar.method, content: calendar.text, filename: 'invite.ics' },
      }),
      attachments: enclosures.map(({ name, open, isMessage }) => ({
        filename: name,
        content: Readable.from(read(open), { objectMode: false }),
        contentDisposition: 'attachment',
        ...(isMessage && { contentType: 'message/rfc822' }),
      })),
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    const node = composer.compile();
    // Gmail takes recipients from the message, and removes Bcc before sending.
    node.keepBcc = true;
    return node.createReadStream();
  };
}

/** Opened when its turn comes. */
async function* read(open: Enclosure['open']) {
  for await (const bytes of await open()) {
    yield bytes;
    await setImmediate();
  }
}
