import { createTransport } from 'nodemailer';
import { isLoopback, type MailConfig } from '../../config.ts';

/** A plain mail of the system itself; `id` is its Message-ID, where one that is sent again must be known as the same. */
export type SystemMail = { to: string; subject: string; text: string; id?: string };

/** Milliseconds for the server to accept a connection, to greet, and to answer. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/** Sends mail through the firm's server; `smtp:` requires STARTTLS except on this machine. */
export class Mailer {
  readonly #transport;
  readonly #from: string;

  constructor({ url, from }: MailConfig) {
    const { protocol, hostname, port, username, password } = new URL(url);
    const secure = protocol === 'smtps:';
    const host = hostname.replace(/^\[|\]$/g, '');
    const isHere = isLoopback(host);
    this.#from = from;
    this.#transport = createTransport({
      host,
      ...(port && { port: Number(port) }),
      secure,
      requireTLS: !secure && !isHere,
      ignoreTLS: !secure && isHere,
      ...(username && {
        auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
      }),
      ...TIMEOUTS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  /** Rejects unless the server accepted it. */
  async send({ to, subject, text, id }: SystemMail): Promise<void> {
    const automatic = { 'auto-submitted': 'auto-generated' };
    // As an object, so that an address is always one recipient.
    const recipient = { name: '', address: to };
    const mail = { from: this.#from, to: recipient, subject, text, headers: automatic };
    await this.#transport.sendMail({ ...mail, ...(id !== undefined && { messageId: id }) });
  }
}
