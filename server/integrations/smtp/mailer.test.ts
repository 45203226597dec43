import { networkInterfaces } from 'node:os';
import { afterEach, expect, test } from 'vitest';
import { startSmtp, type Smtp } from '../../testing/smtp.ts';
import { Mailer } from './mailer.ts';

const letter = { to: 'ada@firm.example', subject: 'Hello', text: 'Line one\nLine two\n' };
const from = 'desk@firm.example';

let smtp: Smtp;
afterEach(() => smtp.close());

/** An address of this machine that is not loopback, as of another one. */
const outside = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address;

test('the mailer sends with a name and a password', async () => {
  const users: unknown[] = [];
  smtp = await startSmtp({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      users.push([username, password]);
      done(null, { user: username });
    },
  });
  const url = smtp.env.SMTP_URL.replace('//', '//desk%40firm.example:p%40ss@');
  await new Mailer({ url, from }).send(letter);
  expect(users).toEqual([['desk@firm.example', 'p@ss']]);
  expect(smtp.mails).toMatchObject([{ recipient: letter.to, subject: letter.subject }]);
});

test('rejects what the server refuses', async () => {
  smtp = await startSmtp();
  smtp.faults.push(new Error('mailbox full'));
  await expect(new Mailer({ url: smtp.env.SMTP_URL, from }).send(letter)).rejects.toThrow(
    'mailbox full',
  );
});

test.skipIf(outside === undefined)(
  'the mailer sends nothing in the clear to another machine',
  async () => {
    smtp = await startSmtp({}, '0.0.0.0');
    const url = smtp.env.SMTP_URL.replace('127.0.0.1', outside ?? '');
    await expect(new Mailer({ url, from }).send(letter)).rejects.toThrow(/STARTTLS|TLS/);
    expect(smtp.mails).toEqual([]);
  },
);
