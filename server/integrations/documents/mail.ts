import msgReader, { type FieldsData } from '@kenjiuno/msgreader';
import iconv from 'iconv-lite';
import PostalMime, { type Address } from 'postal-mime';
import { addHtml } from './html.ts';
import { reasons, UnreadableDocument } from './messages.ts';
import { PagelessText } from './pageless.ts';
import { decodeText, addParagraphs } from './plain.ts';

/** A file inside a mail; `isInline` for parts of the body's layout. */
export type Attachment = { name: string; type: string; bytes: Buffer; isInline: boolean };
export type Mail = { text: PagelessText; attachments: Attachment[] };

const WHAT = 'an email';
/** A file without any of these headers is not a mail, even if its name says so. */
const USUAL_HEADERS = new Set(['from', 'to', 'subject', 'date', 'message-id', 'received']);

/** Headers and body of an .eml file; the caller reads the attachments. */
export async function readEml(bytes: Buffer): Promise<Mail> {
  const mail = await PostalMime.parse(bytes, { forceRfc822Attachments: true }).catch(() => {
    throw new UnreadableDocument(reasons.broken(WHAT));
  });
  if (!mail.headers.some(({ key }) => USUAL_HEADERS.has(key)))
    throw new UnreadableDocument(reasons.broken(WHAT));
  const text = new PagelessText();
  addHead(text, mail.subject, {
    From: mail.from && nameOf(mail.from),
    To: mail.to?.map(nameOf).join(', '),
    Cc: mail.cc?.map(nameOf).join(', '),
    Date: mail.date,
  });
  addBody(text, mail.text, mail.html);
  const attachments = mail.attachments.map((part, index) => ({
    name: part.filename ?? unnamed(part.mimeType, index),
    type: part.mimeType,
    bytes: Buffer.from(part.content as ArrayBuffer),
    isInline: part.related === true && part.mimeType.startsWith('image/'),
  }));
  return { text, attachments };
}

function unnamed(type: string, index: number) {
  return type === 'message/rfc822' ? `message ${index + 1}.eml` : `attachment ${index + 1}`;
}

function nameOf(address: Address): string {
  if (address.group) return `${address.name}: ${address.group.map(nameOf).join(', ')}`;
  return address.name && address.name !== address.address
    ? `${address.name} <${address.address}>`
    : address.address;
}

/** A mail in Outlook's .msg format. */
export function readMsg(bytes: Buffer): Mail {
  const reader = new msgReader.default(
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer,
  );
  let fields: FieldsData;
  try {
    fields = reader.getFileData();
  } catch {
    throw new UnreadableDocument(reasons.broken(WHAT));
  }
  if (fields.error || fields.dataType !== 'msg') throw new UnreadableDocument(reasons.broken(WHAT));
  return toMail(fields, reader);
}

function toMail(fields: FieldsData, reader: InstanceType<typeof msgReader.default>): Mail {
  const text = new PagelessText();
  addHead(text, fields.subject, {
    From: join(fields.senderName, fields.senderSmtpAddress ?? fields.senderEmail),
    To: recipients(fields, 'to'),
    Cc: recipients(fields, 'cc'),
    Date: fields.messageDeliveryTime ?? fields.clientSubmitTime,
  });
  addBody(text, fields.body, fields.bodyHtml ?? htmlOf(fields));
  const attachments = (fields.attachments ?? []).map((part) => {
    const { fileName, content } = reader.getAttachment(part);
    const type = part.innerMsgContent ? 'application/vnd.ms-outlook' : (part.attachMimeTag ?? '');
    const isInline = part.attachmentHidden === true;
    return { name: fileName, type, bytes: Buffer.from(content), isInline };
  });
  return { text, attachments };
}

function htmlOf({ html, internetCodepage }: FieldsData): string | undefined {
  if (!html) return undefined;
  const page = `cp${internetCodepage}`;
  const bytes = Buffer.from(html);
  if (internetCodepage === 65001) return bytes.toString('utf8');
  return iconv.encodingExists(page) ? iconv.decode(bytes, page) : decodeText(bytes);
}

function recipients({ recipients: all = [] }: FieldsData, type: 'to' | 'cc'): string {
  return all
    .filter((one) => (one.recipType ?? 'to') === type)
    .map((one) => join(one.name, one.smtpAddress ?? one.email))
    .join(', ');
}

function join(name: string | undefined, address: string | undefined): string {
  return name && address && name !== address ? `${name} <${address}>` : (name ?? address ?? '');
}

function addHead(
  out: PagelessText,
  subject: string | undefined,
  lines: Record<string, string | undefined>,
) {
  out.add({ text: subject ?? '', level: 1, location: 'Message' });
  const head = Object.entries(lines).flatMap(([name, value]) =>
    value ? [`${name}: ${value}`] : [],
  );
  out.add({ text: head.join('\n'), level: 0, location: 'Message' });
}

/** The plain text, unless it is only a remark that the reader needs a better program. */
function addBody(out: PagelessText, text: string | undefined, html: string | undefined) {
  if (html && (text ?? '').trim().length < 40) addHtml(out, html, 'Message › ');
  else addParagraphs(out, text ?? '', (line) => `Message › line ${line}`);
}
