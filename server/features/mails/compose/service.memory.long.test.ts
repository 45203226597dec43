import { createHash, randomBytes } from 'node:crypto';
import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { mailWritingRoutes } from '@matterdesk/contract/mails.ts';
import { registerAdmin } from '../../../testing/factories.ts';
import { startGoogle } from '../../../testing/google.ts';
import { ADA, connect } from '../../../testing/mail.ts';
import { newPlace, startProcess } from '../../../testing/process.ts';
import { INSPECTABLE, ROUNDS, usualGrowth } from '../../../testing/usage.ts';

const PUBLIC_URL = 'http://desk.example';

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

test('the server sends mails of 25 MB with less than 60 MB, one after the other', async () => {
  const sent: Buffer[] = [];
  const redirectUri = `${PUBLIC_URL}/dashboard/emails`;
  const onSend = ({ raw }: { raw: Buffer }) => void sent.push(raw);
  const google = await startGoogle({ users: [ADA], redirectUri, onSend });
  const place = await newPlace();
  const server = startProcess({
    env: { ...place.env, ...google.env, ...INSPECTABLE, PUBLIC_URL, REGISTRATION: 'open' },
  });
  try {
    await server.ready;
    const person = await registerAdmin(server);
    await connect({ app: server, google }, person);
    const bytes = randomBytes(24 * 1024 * 1024);
    const send = async () => {
      const form = new FormData();
      form.append('attachment', new File([bytes], 'scan.bin'));
      const headers = { 'x-auth-token': person.token };
      const uploaded = { method: 'POST', headers, body: form };
      const { body: kept } = await server.request('/api/v1/mails/uploads', uploaded);
      const attachments = [{ upload: (kept as { upload: string }).upload }];
      const { email: from } = person;
      const body = { from, to: ADA.email, subject: 'The scan', text: 'Attached.', attachments };
      const reply = await server.call(mailWritingRoutes.sendMail, { token: person.token, body });
      expect(reply.text).toContain('Email sent');
    };
    expect(await usualGrowth(server, send)).toBeLessThan(60);
    expect(sent).toHaveLength(ROUNDS);
    for (const raw of sent) {
      const [attachment] = (await PostalMime.parse(raw)).attachments;
      expect(digest(new Uint8Array(attachment?.content as ArrayBuffer))).toBe(digest(bytes));
    }
  } finally {
    await server.kill();
    await google.close();
    place.remove();
  }
}, 900_000);
