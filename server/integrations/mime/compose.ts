import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { NamedAddress } from './addresses.ts';

/** Bytes that go with a mail; `isMessage`: a whole mail, attached as such. */
export type Enclosure = { name: string; bytes: Buffer; isMessage: boolean };

export type Writing = {
  from: NamedAddress;
  to: string[];
  cc: string[];
  bcc: string[];
  subject: string;
  text: string;
  /** Message-IDs with their brackets. */
  inReplyTo: string | undefined;
  references: string[];
  enclosures: Enclosure[];
};

/** Bytes that are encoded between two breaths of the event loop. */
const PIECE = 256 * 1024;

/** A mail as it travels. Reads nothing from disk or net, whatever an attachment is called. */
export async function compose({
  from,
  enclosures,
  inReplyTo,
  ...writing
}: Writing): Promise<Buffer> {
  const composer = new MailComposer({
    ...writing,
    ...(inReplyTo !== undefined && { inReplyTo }),
    from: { name: from.name, address: from.email },
    attachments: enclosures.map(({ name, bytes, isMessage }) => ({
      filename: name,
      content: Readable.from(inPieces(bytes)),
      contentDisposition: 'attachment',
      ...(isMessage && { contentType: 'message/rfc822' }),
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const node = composer.compile();
  // Gmail takes the recipients from the mail itself, and takes Bcc out before it sends.
  node.keepBcc = true;
  return node.build();
}

async function* inPieces(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += PIECE) {
    yield bytes.subarray(at, at + PIECE);
    await setImmediate();
  }
}
