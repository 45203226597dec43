import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export type Smtp = {
  env: { SMTP_URL: string; MAIL_FROM: string };
  /** Accepted mails, with the recipient of each. */
  mails: (Email & { recipient: string | undefined })[];
  /** Refusals of the next mails. */
  faults: Error[];
  /** The next mails are accepted, but the connection breaks before the answer. */
  breaks: { left: number };
  close: () => Promise<void>;
};

/** A real mail server on a loopback port, which keeps what it gets. */
export async function startSmtp(
  options: SMTPServerOptions = {},
  host = '127.0.0.1',
): Promise<Smtp> {
  const mails: Smtp['mails'] = [];
  const faults: Error[] = [];
  const breaks = { left: 0 };
  const sockets = new Set<Socket>();
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
      if (breaks.left === 0) return done();
      breaks.left -= 1;
      for (const socket of sockets) socket.destroy();
    },
  });
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    env: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Matterdesk <desk@firm.example>' },
    mails,
    faults,
    breaks,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
