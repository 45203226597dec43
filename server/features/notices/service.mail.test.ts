import PostalMime from 'postal-mime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noticeRoutes, type CalendarSettingsPatch } from '@matterdesk/contract/notices.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import {
  addEvent,
  noticesOf,
  registerAdmin,
  registerUser,
  type SignedInPerson,
} from '../../testing/factories.ts';
import { connect, startMailTest, type MailTest } from '../../testing/mail.ts';
import { startSmtp, type Smtp } from '../../testing/smtp.ts';

const set = (app: TestApp, { token }: SignedInPerson, body: CalendarSettingsPatch) =>
  app.call(noticeRoutes.changeSettings, { token, body });

/** Raises a reminder of an event with that title for each of its people. */
async function remind(app: TestApp, { token }: SignedInPerson, title: string, people: string[]) {
  const { id } = await addEvent(app, token, { title, people, reminders: [60] });
  await app.pool.query(
    `update reminders set fire_at = clock_timestamp(), set_at = 'epoch' where event_id = $1`,
    [id],
  );
  await Promise.all([app.raiseNotices(), app.raiseNotices()]);
}

async function mailedOf(app: TestApp, person: SignedInPerson, about: string) {
  return (await noticesOf(app, person)).find(({ title }) => title === about)?.mailed;
}

/** Makes the next attempt due, as if minutes had passed. */
async function becomes(app: TestApp, person: SignedInPerson, about: string, state: string | null) {
  await expect
    .poll(
      async () => {
        await app.pool.query(
          `update jobs.job set start_after = now() where name = 'notice' and state = 'retry'`,
        );
        return mailedOf(app, person, about);
      },
      { timeout: 60_000 },
    )
    .toBe(state);
}

describe('with the mail of the system', { timeout: 120_000 }, () => {
  let smtp: Smtp;
  let app: TestApp;
  let admin: SignedInPerson;
  let ada: SignedInPerson;
  let ben: SignedInPerson;

  beforeAll(async () => {
    smtp = await startSmtp();
    app = await startTestApp({ env: { ...smtp.env, PUBLIC_URL: 'https://desk.example' } });
    admin = await registerAdmin(app);
    [ada, ben] = [await registerUser(app), await registerUser(app)];
    await set(app, ada, { mail: true });
  });
  afterAll(async () => {
    await app.close();
    await smtp.close();
  });

  const written = (title: string) => smtp.mails.filter(({ subject }) => subject === title);

  test('settings are one’s own, and change alone', async () => {
    const { token } = admin;
    const read = async () => (await app.call(noticeRoutes.readSettings, { token })).body.settings;
    expect(await read()).toEqual({ digest: true, mail: false });
    expect((await set(app, admin, { digest: false })).body.settings).toEqual({
      digest: false,
      mail: false,
    });
    await set(app, admin, { mail: true });
    await set(app, admin, { mail: false });
    expect(await read()).toEqual({ digest: false, mail: false });
    const body = { mail: 'yes' } as unknown as CalendarSettingsPatch;
    expect(await set(app, admin, body)).toMatchObject({
      status: 400,
      message: 'Mail must be true or false',
    });
  });

  test('a notice is mailed once to those who wish it, to no one else', async () => {
    await remind(app, admin, 'Mediation', [ada.id, ben.id]);
    await becomes(app, ada, 'Mediation', 'sent');
    expect(await mailedOf(app, ben, 'Mediation')).toBeNull();
    expect(written('Mediation')).toMatchObject([
      {
        recipient: ada.email,
        messageId: expect.stringMatching(/^<[\w-]{36}@desk\.example>$/),
      },
    ]);
    expect(written('Mediation')[0]?.text).toContain('https://desk.example/dashboard/calender');
  });

  test('a refused mail is tried again, five times in all', async () => {
    const refusal = Object.assign(new Error('Try later'), { responseCode: 451 });
    smtp.faults.push(refusal);
    await remind(app, admin, 'Deposition', [ada.id]);
    await becomes(app, ada, 'Deposition', 'sent');
    expect(written('Deposition')).toHaveLength(1);
    // As if three attempts had been made.
    await app.pool.query('alter table base.notices alter mail_tries set default 3');
    smtp.faults.push(refusal, refusal);
    await remind(app, admin, 'Trial', [ada.id]);
    await becomes(app, ada, 'Trial', 'failed');
    await app.pool.query('alter table base.notices alter mail_tries set default 0');
    expect([smtp.faults, written('Trial')]).toEqual([[], []]);
  });

  test('a mail whose answer was lost is sent once more as the same, and then no more', async () => {
    smtp.breaks.left = 1;
    await remind(app, admin, 'Hearing', [ada.id]);
    await becomes(app, ada, 'Hearing', 'sent');
    const ids = written('Hearing').map(({ messageId }) => messageId);
    expect(ids).toEqual([ids[0], ids[0]]);
    smtp.breaks.left = 3;
    await remind(app, admin, 'Call', [ada.id]);
    await becomes(app, ada, 'Call', 'unknown');
    expect([written('Call').length, smtp.breaks.left]).toEqual([2, 1]);
  });
});

describe('without the mail of the system', { timeout: 120_000 }, () => {
  let running: MailTest;
  const sent: { from: string; to: string[]; raw: Buffer }[] = [];

  beforeAll(async () => {
    running = await startMailTest({ onSend: (mail) => sent.push(mail) });
  });
  afterAll(() => running.close());

  test('one’s own Google account writes to itself, and who has none is told so', async () => {
    const { app } = running;
    const [admin, user] = [await registerAdmin(app), await registerUser(app)];
    await connect(running, admin);
    await set(app, admin, { mail: true });
    await set(app, user, { mail: true });
    await remind(app, admin, 'Hearing', [admin.id, user.id]);
    await becomes(app, admin, 'Hearing', 'sent');
    await becomes(app, user, 'Hearing', 'no');
    expect(sent).toMatchObject([{ from: 'ada@firm.example', to: ['ada@firm.example'] }]);
    expect(await PostalMime.parse(sent[0]?.raw ?? '')).toMatchObject({ subject: 'Hearing' });
    running.google.revokeAll();
    await remind(app, admin, 'Trial', [admin.id]);
    await becomes(app, admin, 'Trial', 'no');
  });
});
