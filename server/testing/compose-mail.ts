import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import type Mail from 'nodemailer/lib/mailer/index.js';
import PostalMime from 'postal-mime';

/** Bytes of a message as mail programs send it. */
export async function composeMail(mail: Mail.Options): Promise<Buffer> {
  return new MailComposer(mail).compile().build();
}

/** A recipient's reply to this message. */
export async function answerMail(raw: Buffer, from: string, text: string): Promise<Buffer> {
  const mail = await PostalMime.parse(raw);
  const quoted = (mail.text ?? '').trim().replaceAll(/^/gm, '> ');
  const { messageId } = mail;
  return composeMail({
    from,
    to: mail.from?.address ?? '',
    subject: `Re: ${(mail.subject ?? '').replace(/^Re: */i, '')}`,
    text: `${text}\n\n${quoted}\n`,
    ...(messageId !== undefined && { inReplyTo: messageId, references: [messageId] }),
  });
}
