import { expect, test } from 'vitest';
import { MAIL_TEXT_MAX, mailRoutes, mailWritingRoutes } from '@matterdesk/contract/mails.ts';
import { registerAdmin } from '../../../testing/factories.ts';
import { BEN, connected, mailSuite } from '../../../testing/mail.ts';

const { running, ada } = mailSuite({ ada: connected(registerAdmin) }, { isFresh: true });

const letter = (own: object) => ({
  from: ada.email,
  to: BEN.email,
  subject: 'The lease',
  text: 'Dear Ben,\n- one',
  ...own,
});
const send = (own: object) =>
  running.app.call(mailWritingRoutes.sendMail, { token: ada.token, body: letter(own) });

async function newest(section: 'sent' | 'drafts') {
  const asked = { token: ada.token, params: { userEmail: ada.email } };
  const { body } = await running.app.call(mailRoutes.listMails, { ...asked, query: { section } });
  return read(body.data[section][0]?.id ?? '');
}

async function read(mailId: string) {
  const params = { userEmail: ada.email, mailId };
  const { body } = await running.app.call(mailRoutes.readMail, { token: ada.token, params });
  return body.data;
}

test('a mail with formatting is sent as text and as HTML, which is cleaned', async () => {
  const html =
    '<div onclick="a()">Dear <b>Ben</b>,<script>a()</script></div><ul><li>one</li></ul>' +
    '<a href="javascript:a()">x</a><style>b{}</style><img src="https://a.example">';
  expect((await send({ html })).status).toBe(200);
  const mail = await newest('sent');
  expect(mail.message).toBe('Dear Ben,\n- one');
  expect(mail.html).toContain('<div>Dear <b>Ben</b>,</div><ul><li>one</li></ul><a>x</a>');
  expect(mail.html).not.toMatch(/script|onclick|style>|img/);
});

test.each(['', '  ', '<script>a()</script>', '<div><br></div>'])(
  'a mail whose HTML is %j is plain text',
  async (html) => {
    expect((await send({ html })).status).toBe(200);
    const mail = await newest('sent');
    expect([mail.message, mail.html]).toEqual(['Dear Ben,\n- one', null]);
  },
);

test('a draft is read with the formatting that it was saved with', async () => {
  const body = letter({ html: '<div>Dear <i>Ben</i>,</div>' });
  const kept = await running.app.call(mailWritingRoutes.keepDraft, { token: ada.token, body });
  const { draftId } = kept.body;
  const change = { token: ada.token, params: { draftId } };
  const changed = letter({ html: '<div>Dear <u>Ben</u>,</div>' });
  await running.app.call(mailWritingRoutes.changeDraft, { ...change, body: changed });
  expect((await newest('drafts')).html).toContain('<div>Dear <u>Ben</u>,</div>');
});

test('HTML that is no text, or too long, is refused', async () => {
  const wrong = await send({ html: 1 });
  expect([wrong.status, wrong.errors]).toEqual([
    400,
    [{ path: 'html', message: 'Message must be text' }],
  ]);
  const long = await send({ html: 'a'.repeat(MAIL_TEXT_MAX) });
  expect(long.status).toBe(413);
});
