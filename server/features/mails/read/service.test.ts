import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { mailRoutes, type MailDetail } from '@matterdesk/contract/mails.ts';
import {
  openCase,
  registerAdmin,
  registerUser,
  registerWith,
  type SignedInPerson,
  restrict,
} from '../../../testing/factories.ts';
import { ADA, BEN, connect, connected, mailSuite, plainMail } from '../../../testing/mail.ts';

const { running, ada } = mailSuite({ ada: connected(registerAdmin) }, { isFresh: true });

const readReply = (mailId: string, own: SignedInPerson = ada) =>
  running.app.call(mailRoutes.readMail, {
    token: own.token,
    params: { userEmail: own.email, mailId },
  });

/** Delivers a mail and reads it. */
async function deliver(raw: string | Buffer, labels?: string[]): Promise<MailDetail> {
  const { id } = await running.google.deliver(ADA.email, raw, labels && { labels });
  const { status, body, text } = await readReply(id);
  if (status !== 200) throw new Error(text);
  return body.data;
}

/** Restricts the matter to those who are assigned. */
const download = (url: string, init: RequestInit = {}) =>
  fetch(running.app.url + url, {
    ...init,
    headers: { 'x-auth-token': ada.token, ...(init.headers as Record<string, string>) },
  });
const textOf = async (url: string | undefined) => (await download(url ?? '')).text();

const HEAD = `From: jane@client.example\r\nTo: ${ADA.email}\r\nSubject: s\r\nMIME-Version: 1.0\r\n`;

describe('a mail', () => {
  test('shows all recipients and is marked as read at Google', async () => {
    const raw = plainMail({
      to: `"Lovelace, Ada" <${ADA.email}>, Second <second@firm.example>`,
      headers: ['Cc: Team: third@firm.example, fourth@firm.example;'],
    });
    const { id } = await running.google.deliver(ADA.email, raw);
    const { body } = await readReply(id);
    expect(body.data).toEqual({
      id,
      subject: 'The lease',
      from: { name: 'Jane Doe', email: 'jane.doe@client.example' },
      to: { name: 'Lovelace, Ada', email: ADA.email },
      cc: [
        { name: 'Second', email: 'second@firm.example' },
        { name: '', email: 'third@firm.example' },
        { name: '', email: 'fourth@firm.example' },
      ],
      date: '2026-11-02T10:00:00.000Z',
      message: 'Please call me.',
      html: null,
      attachments: [],
      invitation: null,
      draftId: null,
      proposedCase: null,
      filed: [],
    });
    const list = await running.app.call(mailRoutes.listMails, {
      token: ada.token,
      params: { userEmail: ada.email },
    });
    expect(list.body.data.inbox[0]?.unread).toBe(false);
  });

  test('is decoded from windows-1252, ISO-2022-JP and quoted-printable', async () => {
    const head = (type: string) => `${HEAD}Content-Type: text/plain; charset=${type}\r\n`;
    const western = Buffer.from(
      `${head('windows-1252')}\r\n“Grüße” – 5 €`.replace('“Grüße” – 5 €', ''),
    );
    const bytes = Buffer.from([0x93, 0x47, 0x72, 0xfc, 0xdf, 0x65, 0x94, 0x20, 0x96, 0x20, 0x80]);
    expect((await deliver(Buffer.concat([western, bytes]))).message).toBe('“Grüße” – €');
    const japanese = `${head('ISO-2022-JP')}\r\n\u001b$B$3$s$K$A$O\u001b(B`;
    expect((await deliver(japanese)).message).toBe('こんにちは');
    const quoted = `${head('utf-8')}Content-Transfer-Encoding: quoted-printable\r\n\r\nGr=C3=BC=C3=9Fe=\r\n!`;
    expect((await deliver(quoted)).message).toBe('Grüße!');
    const subject = HEAD.replace(
      'Subject: s',
      'Subject: =?ISO-2022-JP?B?GyRCJDMkcyRLJEEkTxsoQg==?=',
    );
    expect((await deliver(`${subject}\r\nx`)).subject).toBe('こんにちは');
  });

  test('with only HTML is shown as text too, with its HTML verbatim', async () => {
    const html =
      '<style>p{color:red}</style><p>Dear <b>Ada</b>,</p><img src="cid:x"><p>see you</p>';
    const mail = await deliver(`${HEAD}Content-Type: text/html\r\n\r\n${html}`);
    expect(mail.message).toBe('Dear Ada,\n\nsee you');
    expect(mail.html?.trim()).toBe(html);
  });

  test('drafted elsewhere as HTML keeps its content as text and shows that it had HTML', async () => {
    const html = [
      '<h2>Terms</h2><p>See <a href="https://court.example/x">the order</a>.</p>',
      '<ul><li>one<ul><li>nested</li></ul></li><li>two</li></ul><ol><li>first</li></ol>',
      '<table><tr><th>Fee</th><td>100</td></tr><tr><td>Tax</td><td>19</td></tr></table>',
      '<blockquote>As agreed</blockquote>',
    ].join('');
    const draft = await deliver(`${HEAD}Content-Type: text/html\r\n\r\n${html}`, ['DRAFT']);
    expect(draft.message.split(/\n+/)).toEqual([
      'Terms',
      'See the order [https://court.example/x].',
      ' * one',
      '   * nested',
      ' * two',
      ' 1. first',
      'Fee 100',
      'Tax 19',
      '> As agreed',
    ]);
    expect([draft.html?.trim(), typeof draft.draftId]).toEqual([html, 'string']);
  });

  test('with ten thousand recipients shows all of them', async () => {
    const people = Array.from(
      { length: 10_000 },
      (_, at) => `"Doe, Jane ${at}" <p${at}@firm.example>`,
    );
    const head = HEAD.replace(/^To: .*$/m, `To: ${people.join(',\r\n ')}`);
    const { to, cc } = await deliver(`${head}\r\nhello`);
    expect([to?.email, cc.length, cc.at(-1)?.email]).toEqual([
      'p0@firm.example',
      9999,
      'p9999@firm.example',
    ]);
    const asked = { token: ada.token, params: { userEmail: ada.email } };
    const { body } = await running.app.call(mailRoutes.listMails, asked);
    expect(body.data.inbox[0]?.to).toEqual({ name: 'Doe, Jane 0', email: 'p0@firm.example' });
  });

  test('without headers or an end is shown as far as possible', async () => {
    const bare = await deliver('From: <>\r\nDate: yesterday\r\n\r\nonly text');
    expect(bare).toMatchObject({ from: null, to: null, cc: [], subject: '', message: 'only text' });
    expect(Date.parse(bare.date)).toBeGreaterThan(0);
    const cut = `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nhalf a ma`;
    expect((await deliver(cut)).message).toBe('half a ma');
    const unknown = `${HEAD}Content-Type: text/plain; charset=x-klingon\r\nContent-Transfer-Encoding: base64\r\n\r\n!!!`;
    expect((await deliver(unknown)).subject).toBe('s');
  });

  test('that is nested too deeply has its original attached', async () => {
    let body = 'Content-Type: text/plain\r\n\r\ndeep';
    for (let level = 0; level < 150; level += 1)
      body = `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n${body}\r\n--b${level}--`;
    const raw = HEAD + body;
    const mail = await deliver(raw);
    expect(mail).toMatchObject({ subject: 's', from: { email: 'jane@client.example' } });
    expect(mail.message).toContain('damaged');
    expect(await textOf(mail.attachments[0]?.url)).toBe(raw);
  });

  test('belongs to its user alone, and unknown ids are not found', async () => {
    const { id } = await running.google.deliver(BEN.email, plainMail());
    expect((await readReply(id)).status).toBe(404);
    expect((await readReply('nothing')).message).toBe('Mail not found');
    expect((await readReply('a/b?c')).status).toBe(404);
    running.google.faults.push({ path: /malformed$/, status: 400, times: Infinity });
    expect((await readReply('malformed')).status).toBe(404);
    running.google.faults.length = 0;
    const own = await running.google.deliver(ADA.email, plainMail());
    const eve = await registerUser(running.app);
    const asked = { token: eve.token, params: { userEmail: ada.email, mailId: own.id } };
    expect((await running.app.call(mailRoutes.readMail, asked)).status).toBe(403);
    expect((await readReply(own.id, eve)).status).toBe(409);
    const ben = await registerUser(running.app);
    await connect(running, ben, BEN.email);
    expect((await readReply(own.id, ben)).status).toBe(404);
    const url = `/api/v1/mails/attachment/${own.id}/1/x`;
    expect((await fetch(running.app.url + url)).status).toBe(400);
    expect((await download(url, { headers: { 'x-auth-token': ben.token } })).status).toBe(404);
  });

  test('is shown although Google fails to mark it as read', async () => {
    const { id } = await running.google.deliver(ADA.email, plainMail());
    running.google.faults.push({ path: /modify/, status: 400 });
    expect((await readReply(id)).status).toBe(200);
    running.google.faults.push({ path: /messages/, status: 503, times: Infinity });
    const other = await running.google.deliver(ADA.email, plainMail());
    expect((await readReply(other.id)).status).toBe(502);
    running.google.faults.length = 0;
    running.google.faults.push({ path: /messages/, cutAfterBytes: 100 });
    expect((await readReply(other.id)).status).toBe(200);
  });
});

describe('an attachment', () => {
  const FORWARDED = 'From: x@y.example\r\nSubject: inner\r\n\r\ninner text';
  const NESTED = [
    `${HEAD}Content-Type: multipart/mixed; boundary=o\r\n`,
    '--o\r\nContent-Type: multipart/related; boundary=r\r\n',
    '--r\r\nContent-Type: multipart/alternative; boundary=a\r\n',
    '--a\r\nContent-Type: text/plain\r\n\r\nplain',
    '--a\r\nContent-Type: text/html\r\n\r\n<img src="cid:logo@x">',
    '--a\r\nContent-Type: text/calendar; method=REQUEST\r\n\r\nBEGIN:VCALENDAR\r\nEND:VCALENDAR',
    '--a--',
    '--r\r\nContent-Type: image/png; name=logo.png\r\nContent-ID: <logo@x>\r\nContent-Transfer-Encoding: base64',
    `\r\niVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==`,
    '--r--',
    '--o\r\nContent-Type: application/pdf; name*0*=utf-8\'\'Gr%C3%BC; name*1*=%C3%9Fe%20und;\r\n name*2=" mehr.pdf"',
    'Content-Disposition: attachment\r\n\r\n%PDF-1.7 body',
    `--o\r\nContent-Type: message/rfc822\r\n\r\n${FORWARDED}`,
    '--o\r\nContent-Type: text/html; name="../../evil\u202Elmth.html"\r\nContent-Disposition: attachment\r\n',
    '<script>alert(1)</script>',
    '--o--',
    '',
  ].join('\r\n');

  test('keeps its name, type and position in every MIME structure', async () => {
    const mail = await deliver(NESTED);
    expect(mail.message).toBe('plain');
    expect(mail.html).toContain('cid:logo@x');
    const seen = mail.attachments.map(({ name, mimeType, inline, contentId, url }) => ({
      name,
      mimeType,
      inline,
      contentId,
      part: url.split('/')[6],
    }));
    expect(seen).toEqual([
      {
        name: 'invitation 1.ics',
        mimeType: 'text/calendar',
        inline: false,
        contentId: null,
        part: '1.1.3',
      },
      { name: 'logo.png', mimeType: 'image/png', inline: true, contentId: 'logo@x', part: '1.2' },
      {
        name: 'Grüße und mehr.pdf',
        mimeType: 'application/pdf',
        inline: false,
        contentId: null,
        part: '2',
      },
      {
        name: 'message 4.eml',
        mimeType: 'message/rfc822',
        inline: false,
        contentId: null,
        part: '3',
      },
      {
        name: '.._.._evil lmth.html',
        mimeType: 'text/html',
        inline: false,
        contentId: null,
        part: '4',
      },
    ]);
    expect(await textOf(mail.attachments[3]?.url)).toBe(FORWARDED);
    expect(await textOf(mail.attachments[0]?.url)).toBe('BEGIN:VCALENDAR\r\nEND:VCALENDAR');
  });

  test('is served with headers that are safe for a browser', async () => {
    const [, logo, pdf, , evil] = (await deliver(NESTED)).attachments;
    const shown = await download(logo?.url ?? '');
    expect(shown.headers.get('content-type')).toBe('image/png');
    expect(shown.headers.get('content-disposition')).toMatch(/^inline/);
    expect(shown.headers.get('content-security-policy')).toBe(
      "default-src 'none'; frame-ancestors 'none'; sandbox",
    );
    expect(shown.headers.get('x-content-type-options')).toBe('nosniff');
    const saved = await download(`${pdf?.url}?download=1`);
    expect(saved.headers.get('content-disposition')).toContain(
      "filename*=UTF-8''Gr%C3%BC%C3%9Fe%20und%20mehr.pdf",
    );
    const script = await download(evil?.url ?? '');
    expect(script.headers.get('content-type')).toBe('application/octet-stream');
    expect(script.headers.get('content-disposition')).toMatch(/^attachment/);
    const part = await download(pdf?.url ?? '', { headers: { range: 'bytes=0-3' } });
    expect([part.status, await part.text()]).toEqual([206, '%PDF']);
    expect((await download((pdf?.url ?? '').replace('/2/', '/9.9/'))).status).toBe(404);
    const { headers } = await running.app.request('/api/v1/users/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: ada.email, password: 'correct horse battery' }),
    });
    const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
    const byLink = await fetch(running.app.url + (pdf?.url ?? ''), { headers: { cookie } });
    expect(byLink.status).toBe(200);
  });

  test('of 25 MB is complete, and the mail is requested from Google once', async () => {
    const content = Buffer.alloc(18_000_000, 'matter');
    const raw = Buffer.concat([
      Buffer.from(
        `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nbig\r\n--b\r\nContent-Type: application/octet-stream; name=big.bin\r\nContent-Transfer-Encoding: base64\r\n\r\n`,
      ),
      Buffer.from(content.toString('base64').replaceAll(/.{76}/g, '$&\r\n')),
      Buffer.from('\r\n--b--\r\n'),
    ]);
    const mail = await deliver(raw);
    expect(mail.attachments[0]).toMatchObject({ name: 'big.bin', size: content.length });
    const got = await download(mail.attachments[0]?.url ?? '');
    expect(Buffer.from(await got.arrayBuffer()).equals(content)).toBe(true);
    const asked = running.google.requests.filter(({ query }) => query['format'] === 'raw');
    expect(asked).toHaveLength(1);
  });
});

describe('the proposed case', () => {
  const propose = async (own: Parameters<typeof plainMail>[0]) =>
    (await deliver(plainMail(own))).proposedCase;
  const stranger = { from: 'Some One <some@one.example>' };

  test('is found by its number, the longest in the mail', async () => {
    await openCase(running.app, ada.token, { caseNo: '24 CV 17' });
    const opened = await openCase(running.app, ada.token, { caseNo: '24 CV 17-Ä' });
    const { id, caseName } = opened;
    const reason = 'Case number 24 CV 17-Ä appears in it';
    expect(
      await propose({ ...stranger, subject: '=?utf-8?Q?AW:_Re_(24_cv_17-=C3=A4):_date?=' }),
    ).toEqual({
      id,
      caseName,
      reason,
    });
    expect(await propose({ ...stranger, subject: 'none', text: 'about 24 CV 1 only' })).toBeNull();
  });

  test('is found by its client, then by its opposing counsel, and never by the reader', async () => {
    const clientInfo = {
      name: 'Mary Major',
      phoneNumber: '1',
      address: 'a',
      email: 'Mary@Major.example',
    };
    const counsel = { organization: 'o', phoneNumber: '1', address: 'a' };
    const opposingCounselInfo = { ...counsel, name: 'Rob Roe', email: ADA.email };
    const { id } = await openCase(running.app, ada.token, { clientInfo, opposingCounselInfo });
    const reasonOf = async (own: Parameters<typeof plainMail>[0]) => {
      const proposed = await propose(own);
      return proposed?.id === id ? proposed.reason : proposed;
    };
    expect(await reasonOf({ from: 'mary@major.example' })).toBe(
      "The client's email address appears in it",
    );
    expect(await reasonOf({ ...stranger, text: 'Ask <mary@major.example>.' })).toContain('client');
    expect(await reasonOf({ from: '"Major, Mary" <other@x.example>' })).toBe(
      "The client's name appears in it",
    );
    expect(await reasonOf({ ...stranger, text: 'I met Rob Roe, you know.' })).toBe(
      "Opposing counsel's name appears in it",
    );
    expect(await reasonOf(stranger)).toBeNull();
  });

  test('is the one whose name the subject holds, the longest, and an active one first', async () => {
    const name = `Zephyr v. Acme Holdings, Inc.`;
    await openCase(running.app, ada.token, { caseName: 'Zephyr v. Acme' });
    const { id } = await openCase(running.app, ada.token, { caseName: name });
    const archived = { caseName: name, statusType: 'Archive' } as const;
    await openCase(running.app, ada.token, archived);
    const expected = { id, caseName: name, reason: 'Its name appears in the subject' };
    for (const subject of [`Any news on ZEPHYR v. Acme Holdings, Inc.?`, `Re: (${name})`, name])
      expect(await propose({ ...stranger, subject })).toEqual(expected);
    expect(await propose({ ...stranger, subject: 'Zephyr v. Acme: dates' })).not.toMatchObject({
      id,
    });
    await openCase(running.app, ada.token, { caseName: name });
    expect(await propose({ ...stranger, subject: name })).toBeNull();
  });

  test('of a person with several cases is the only one that also fits the others', async () => {
    const person = (name: string) => ({
      name,
      phoneNumber: '1',
      address: 'a',
      email: `${name.replace(' ', '.').toLowerCase()}@two.example`,
    });
    const counsel = (name: string) => ({ ...person(name), organization: 'o' });
    const [jo, al] = ['Jo Twice', 'Al Once'].map(person);
    const open = (clientInfo = person(''), opposingCounselInfo = counsel('')) =>
      openCase(running.app, ada.token, { clientInfo, opposingCounselInfo });
    const first = await open(jo, counsel('Kim Counsel'));
    const second = await open(jo, counsel('Lee Counsel'));
    await open(al, counsel('Kim Counsel'));
    const from = 'jo.twice@two.example';
    expect(await propose({ from })).toBeNull();
    expect(await propose({ from, text: 'Lee Counsel called me.' })).toMatchObject({
      id: second.id,
      reason: "Opposing counsel's name appears in it",
    });
    expect(
      await propose({ from: 'kim.counsel@two.example', text: 'Your client Jo Twice owes us.' }),
    ).toMatchObject({ id: first.id, reason: "The client's name appears in it" });
    expect(await propose({ from: 'kim.counsel@two.example' })).toBeNull();
  });

  test('is where the thread was filed last, before one that the mail refers to', async () => {
    const named = await openCase(running.app, ada.token, {});
    const place = await openCase(running.app, ada.token, {});
    const mail = { ...stranger, subject: `About ${named.caseNo}` };
    const raw = plainMail(mail);
    const original = await running.google.deliver(ADA.email, raw);
    const headers = [`In-Reply-To: ${/^Message-ID: (.*)$/m.exec(raw)?.[1]?.trim()}`];
    const answer = plainMail({ ...mail, subject: `Re: ${mail.subject}`, headers });
    const reply = await running.google.deliver(ADA.email, answer);
    expect(reply.threadId).toBe(original.threadId);
    const proposedFor = async (id: string) => (await readReply(id)).body.data.proposedCase;
    expect(await proposedFor(reply.id)).toMatchObject({ id: named.id });
    const filing = {
      token: ada.token,
      params: { mailId: original.id },
      body: { caseId: place.id },
    };
    expect((await running.app.call(mailRoutes.fileToCase, filing)).status).toBe(201);
    expect(await proposedFor(reply.id)).toEqual({
      id: place.id,
      caseName: place.caseName,
      reason: 'This thread is filed there',
    });
    expect(await proposedFor(original.id)).toMatchObject({ id: named.id });
  });

  test('is never one behind a wall, and nothing is filed there', async () => {
    const insider = await registerWith(running.app, { createCases: true });
    const { id, caseNo } = await openCase(running.app, insider.token, {
      assignedUsers: [insider.id],
    });
    const mail = { ...stranger, subject: `About ${caseNo}` };
    expect(await propose(mail)).toMatchObject({ id });
    const { id: filedId } = await running.google.deliver(ADA.email, plainMail(mail));
    const fileIt = { token: ada.token, params: { mailId: filedId }, body: { caseId: id } };
    expect((await running.app.call(mailRoutes.fileToCase, fileIt)).status).toBe(201);
    expect((await readReply(filedId)).body.data.filed).toHaveLength(1);
    await restrict(running.app, { token: insider.token, id });
    expect(await propose(mail)).toBeNull();
    expect((await readReply(filedId)).body.data.filed).toEqual([]);
    const { id: mailId } = await running.google.deliver(ADA.email, plainMail(mail));
    const file = (caseId: string) =>
      running.app.call(mailRoutes.fileToCase, {
        token: ada.token,
        params: { mailId },
        body: { caseId },
      });
    const [hidden, unknown] = [await file(id), await file(randomUUID())];
    expect(hidden).toMatchObject({ status: unknown.status, message: unknown.message });
    expect(unknown.message).toBe('Please select any case');
  });
});
