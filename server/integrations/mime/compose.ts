// Parses and writes e-mail.

import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { NamedAddress } from './summary.ts';

/** An attachment; `isMessage` for a whole mail. */
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

/** Bytes encoded before yielding to the event loop. */
const PIECE = 256 * 1024;

/** A MIME message. Reads nothing from disk or network, whatever an attachment's name. */
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
  // Gmail takes recipients from the message, and removes Bcc before sending.
  node.keepBcc = true;
  return node.build();
}

async function* inPieces(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += PIECE) {
    yield bytes.subarray(at, at + PIECE);
    await setImmediate();
  }
}
