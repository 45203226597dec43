import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export type Smtp = {
  env: { SMTP_URL: string; MAIL_FROM: string };
  /** Accepted mails, with the recipient of each. */
  mails: (Email & { recipient: string | undefined })[];
  /** Refusals of the next mails. */
  faults: Error[];
  close: () => Promise<void>;
};

/** A real mail server on a loopback port, which keeps what it gets. */
export async function startSmtp(
  options: SMTPServerOptions = {},
  host = '127.0.0.1',
): Promise<Smtp> {
  const mails: Smtp['mails'] = [];
  const faults: Error[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    ...options,
    async onData(stream, session, done) {
      const raw = await text(stream);
      const fault = faults.shift();
      if (fault) return done(fault);
      const [recipient] = session.envelope.rcptTo;
      mails.push({ ...(await PostalMime.parse(raw)), recipient: recipient?.address });
      return done();
    },
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    env: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Matterdesk <desk@firm.example>' },
    mails,
    faults,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
