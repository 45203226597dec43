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
      content: bytes,
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
