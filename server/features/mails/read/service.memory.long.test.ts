import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { mailRoutes } from '@matterdesk/contract/mails.ts';
import { registerAdmin } from '../../../testing/factories.ts';
import { startGoogle } from '../../../testing/google.ts';
import { ADA, connect } from '../../../testing/mail.ts';
import { newPlace, startProcess } from '../../../testing/process.ts';
import { INSPECTABLE, ROUNDS, usualGrowth } from '../../../testing/usage.ts';

const PUBLIC_URL = 'http://desk.example';

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

function largeMail(bytes: Buffer): string {
  const head = [
    'From: Jane Doe <jane.doe@client.example>',
    `To: ${ADA.email}`,
    'Subject: The scan',
    'MIME-Version: 1.0',
    'Content-Type: application/octet-stream; name="scan.bin"',
    'Content-Disposition: attachment; filename="scan.bin"',
    'Content-Transfer-Encoding: base64',
  ];
  const body = bytes.toString('base64').replaceAll(/.{76}/g, '$&\r\n');
  return `${head.join('\r\n')}\r\n\r\n${body}\r\n`;
}

test('the server reads mails of 25 MB with less than 60 MB, one after the other', async () => {
  const redirectUri = `${PUBLIC_URL}/dashboard/emails`;
  const google = await startGoogle({ users: [ADA], redirectUri });
  const place = await newPlace();
  const env = { ...place.env, ...google.env, ...INSPECTABLE, PUBLIC_URL, REGISTRATION: 'open' };
  const server = startProcess({ env });
  try {
    await server.ready;
    const person = await registerAdmin(server);
    const { token, email } = person;
    await connect({ app: server, google }, person);
    const bytes = randomBytes(18 * 1024 * 1024);
    const mails = Array.from({ length: ROUNDS }, () => google.deliver(ADA.email, largeMail(bytes)));
    const ids = (await Promise.all(mails)).map(({ id }) => id);
    const read = async (round: number) => {
      const mailId = ids[round] ?? '';
      const asked = { token, params: { userEmail: email, mailId } };
      const { body } = await server.call(mailRoutes.readMail, asked);
      const [attachment] = body.data.attachments;
      expect(attachment?.size).toBe(bytes.length);
      const headers = { 'x-auth-token': token };
      const found = await fetch(server.url + attachment?.url, { headers });
      expect(digest(new Uint8Array(await found.arrayBuffer()))).toBe(digest(bytes));
    };
    expect(await usualGrowth(server, read)).toBeLessThan(60);
  } finally {
    await server.kill();
    await google.close();
    place.remove();
  }
}, 900_000);
