import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { auditRoutes } from '@matterdesk/contract/audit.ts';
import { deviceRoutes } from '@matterdesk/contract/devices.ts';
import { type Firm, firmRoutes } from '@matterdesk/contract/firm.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { eventually } from '../../testing/eventually.ts';
import {
  turnOnApp,
  registerAdmin,
  registerUser,
  type SignedInPerson,
} from '../../testing/factories.ts';

const FRESH: Firm = {
  name: '',
  address: '',
  phone: '',
  letterhead: '',
  // The machine's, unless it is set to no place.
  timeZone: Intl.DateTimeFormat()
    .resolvedOptions()
    .timeZone.replace(/^(Etc\/)?UTC$/, 'America/New_York'),
  morning: '07:30',
  dualControl: true,
  secondFactor: 'optional',
  idleMinutes: 720,
  trainUploads: false,
  setUp: false,
};

let here: TestApp;
/** A second process of the same firm. */
let there: TestApp;
let admin: SignedInPerson;
let user: SignedInPerson;

beforeAll(async () => {
  here = await startTestApp();
  there = await startTestApp({ database: here.database });
  admin = await registerAdmin(here);
  // The settings may demand a second factor of admins.
  await turnOnApp(here, admin);
  user = await registerUser(here);
});
beforeEach(async () => {
  const { name: _, ...body } = FRESH;
  await change({ ...body, name: 'Owusu Law' });
});
afterAll(async () => {
  await there.close();
  await here.close();
});

function change(body: object, { token } = admin, app = here) {
  return app.call(firmRoutes.changeFirm, { token, body });
}

async function read(app = here): Promise<Firm> {
  return (await app.call(firmRoutes.readFirm, { token: user.token })).body.firm;
}

describe('the settings of the firm', () => {
  test('have defaults, and the server’s time zone', async () => {
    const fresh = await startTestApp({ jobs: false });
    const { token } = await registerUser(fresh);
    expect((await fresh.call(firmRoutes.readFirm, { token })).body).toEqual({ firm: FRESH });
    await fresh.close();
  });

  test('are changed by admins alone, and keep what is not named', async () => {
    expect(await change({ idleMinutes: 30 }, user)).toMatchObject({ code: 'notPermitted' });
    const address = '1 Court Plaza\nAlbany NY';
    const letterhead = {
      phone: '+1 518 555 0100',
      letterhead: 'Attorneys at Law\nFax 518 555 0101',
    };
    const office = { timeZone: 'america/chicago', address, setUp: true };
    const patch = { ...office, ...letterhead, morning: '06:15', secondFactor: 'admins' };
    const { status, body } = await change(patch);
    expect(status).toBe(200);
    expect(body.firm).toEqual({
      ...FRESH,
      name: 'Owusu Law',
      morning: '06:15',
      timeZone: 'America/Chicago',
      address,
      ...letterhead,
      setUp: true,
      secondFactor: 'admins',
    });
    expect(await read()).toEqual(body.firm);
  });

  test.each([
    ['name', ' ', 'Name is required'],
    ['timeZone', 'Europe/Atlantis', 'Time Zone must be a time zone such as America/New_York'],
    ['timeZone', '+05:00', 'Time Zone must be a time zone such as America/New_York'],
    ['morning', '24:00', 'Morning must be a time such as 07:30'],
    ['morning', '7:30', 'Morning must be a time such as 07:30'],
    ['address', 7, 'Address must be text'],
    ['address', 'x'.repeat(501), 'Address must have at most 500 characters'],
    ['phone', 5_185_550_100, 'Phone must be text'],
    ['phone', '5'.repeat(41), 'Phone must have at most 40 characters'],
    ['phone', '518 555\n0100', 'Phone must not hold control characters'],
    ['letterhead', null, 'Letterhead must be text'],
    ['letterhead', 'x'.repeat(501), 'Letterhead must have at most 500 characters'],
    ['setUp', 'yes', 'Set Up must be true or false'],
    ['dualControl', 'yes', 'Dual Control must be true or false'],
    ['secondFactor', 'all', 'Second Factor must be one of optional, admins, everyone'],
    ['idleMinutes', 4, 'Idle Minutes must be a whole number from 5 to 1440'],
    ['idleMinutes', 1441, 'Idle Minutes must be a whole number from 5 to 1440'],
    ['idleMinutes', 7.5, 'Idle Minutes must be a whole number from 5 to 1440'],
  ])('refuse %s as “%s”', async (path, value, message) => {
    expect(await change({ [path]: value })).toMatchObject({
      status: 400,
      errors: [{ path, message }],
    });
    expect(await read()).toEqual({ ...FRESH, name: 'Owusu Law' });
  });

  test('take effect in every process', async () => {
    expect(await read(there)).toMatchObject({ idleMinutes: 720 });
    await change({ idleMinutes: 45 });
    expect(await read()).toMatchObject({ idleMinutes: 45 });
    await eventually(async () => expect(await read(there)).toMatchObject({ idleMinutes: 45 }));
  });

  test('leave an entry with what they were and what they are', async () => {
    await change({ dualControl: false });
    const query = { action: 'settingsChanged', limit: 1 };
    const { body } = await here.call(auditRoutes.listEntries, { token: admin.token, query });
    expect(body.entries[0]).toMatchObject({
      entity: 'firm',
      name: 'Owusu Law',
      actor: { id: admin.id },
      before: { dualControl: true },
      after: { dualControl: false },
    });
  });
});

describe('a session', () => {
  test('ends after the firm’s minutes without a request, and is no longer listed', async () => {
    await change({ idleMinutes: 5 });
    const idle = await registerUser(here);
    const seen = (ago: string) =>
      here.pool.query(
        'update sessions set last_seen_at = now() - $2::interval where user_id = $1',
        [idle.id, ago],
      );
    const status = async () => (await here.call(accountRoutes.me, { token: idle.token })).status;
    await seen('5 minutes');
    expect(await status()).toBe(200);
    // A request renews it.
    expect(await status()).toBe(200);
    await seen('6 minutes 1 second');
    expect(await status()).toBe(400);
    await change({ idleMinutes: 10 });
    expect(await status()).toBe(200);
    await here.pool.query(
      `insert into sessions (token_hash, user_id, last_seen_at)
       values ('\\x01', $1, now() - interval '12 minutes')`,
      [idle.id],
    );
    const { body } = await here.call(deviceRoutes.list, { token: idle.token });
    expect(body.sessions).toHaveLength(1);
  });
});
