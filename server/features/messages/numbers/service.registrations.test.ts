import { describe, expect, test } from 'vitest';
import { messageRoutes, type RegistrationState } from '@matterdesk/contract/messages.ts';
import { registerUser } from '../../../testing/factories.ts';
import { type PersonWithNumber, registerWithNumber, textSuite } from '../../../testing/texting.ts';

const { app, twilio } = textSuite({});

const CLIENT = '+12125550100';
const read = async ({ token }: Pick<PersonWithNumber, 'token'>) =>
  (await app.call(messageRoutes.readNumber, { token })).body;
/** The final state, since the job may have asked just before the stand-in changed. */
const readRegistration = async (
  line: Pick<PersonWithNumber, 'token'>,
  registration: RegistrationState,
) => {
  const look = async () => {
    const found = await read(line);
    if (found.registration !== registration) await app.runMessageJobs();
    return found.registration;
  };
  await expect.poll(look).toBe(registration);
  return read(line);
};
const questions = () => twilio.requests.filter(({ path }) => path.startsWith('/v1/')).length;
const send = async ({ token, phoneNumber }: PersonWithNumber) =>
  app.call(messageRoutes.sendText, {
    token,
    body: { from: phoneNumber, to: CLIENT, message: 'Hello' },
  });
const openTollFree = async (phoneNumber: string) => {
  const person = await registerUser(app);
  const { token, email } = person;
  await app.call(messageRoutes.buyNumber, { token, body: { phoneNumber, email } });
  return { ...person, phoneNumber };
};

describe('the registration of a local number', () => {
  test.each([
    [{ status: 'PENDING' }, 'inReview', /^The A2P 10DLC registration of this number is in review/],
    [{ status: 'IN_PROGRESS' }, 'inReview', /may block its texts/],
    [{ status: 'VERIFIED' }, 'registered', /^null$/],
    [
      { status: 'FAILED', reason: 'The description is not detailed' },
      'rejected',
      'The A2P 10DLC registration of this number was rejected: The description is not detailed. Ask your administrator to correct it in Twilio.',
    ],
    [{ status: 'FAILED' }, 'rejected', /was rejected\. Ask your administrator/],
    [{ status: 'SUSPENDED' }, 'rejected', /was rejected/],
    [{}, 'missing', /until its A2P 10DLC registration is complete/],
  ] as const)('%j is told as %s', async (campaign, registration, notice) => {
    const line = await registerWithNumber(app);
    twilio.register(line.phoneNumber, campaign);
    const found = await readRegistration(line, registration);
    expect(found.phoneNumber).toBe(line.phoneNumber);
    expect(String(found.notice)).toMatch(notice);
  });

  test('is missing when the number is in no messaging service', async () => {
    expect(await readRegistration(await registerWithNumber(app), 'missing')).toMatchObject({
      registration: 'missing',
    });
  });

  test('is stored and refreshed when it is due', async () => {
    const line = await registerWithNumber(app);
    twilio.register(line.phoneNumber, { status: 'IN_PROGRESS' });
    await readRegistration(line, 'inReview');
    twilio.register(line.phoneNumber, { status: 'VERIFIED' });
    const asked = questions();
    expect(await read(line)).toMatchObject({ registration: 'inReview' });
    expect(questions()).toBe(asked);
    await app.runMessageJobs();
    expect(await read(line)).toMatchObject({ registration: 'registered', notice: null });
  });
});

describe('the verification of a toll-free number', () => {
  test.each([
    [
      'PENDING_REVIEW',
      '+18005550110',
      'inReview',
      /^The toll-free verification of this number is in review/,
    ],
    ['IN_REVIEW', '+18885550111', 'inReview', /in review/],
    ['TWILIO_REJECTED', '+18775550112', 'rejected', /was rejected: No consent is shown\. Ask/],
    ['TWILIO_APPROVED', '+18665550113', 'registered', /^null$/],
  ] as const)('%s is told', async (status, phoneNumber, registration, notice) => {
    const person = await openTollFree(phoneNumber);
    const reason = status === 'TWILIO_REJECTED' ? { reason: 'No consent is shown' } : {};
    twilio.verify(phoneNumber, { status, ...reason });
    const found = await readRegistration(person, registration);
    expect(String(found.notice)).toMatch(notice);
  });

  test('is in review when it was requested again after a rejection', async () => {
    const person = await openTollFree('+18555550114');
    twilio.verify('+18555550114', { status: 'TWILIO_REJECTED', reason: 'Too short' });
    twilio.verify('+18555550114', { status: 'IN_REVIEW' });
    expect(await readRegistration(person, 'inReview')).toHaveProperty('registration', 'inReview');
  });

  test('is missing when it was not requested', async () => {
    const found = await readRegistration(await openTollFree('+18445550115'), 'missing');
    expect(found.notice).toContain('its toll-free verification is complete');
  });
});

describe('when Twilio does not report a registration', () => {
  const silence = { path: /^\/v1\//, status: 403, times: Infinity };

  test('the carriers’ treatment of texts counts', async () => {
    twilio.faults.push({ ...silence });
    const line = await registerWithNumber(app);
    const first = await read(line);
    expect(first.registration).toBe(null);
    expect(first.notice).toContain('may block texts from this number');
    await send(line);
    await twilio.advance(twilio.messages.at(-1)?.sid ?? '', 'undelivered', 30034);
    expect((await read(line)).notice).toContain('block texts from this number');
    await send(line);
    await twilio.advance(twilio.messages.at(-1)?.sid ?? '', 'delivered');
    expect(await read(line)).toMatchObject({ registration: null, notice: null });
  });

  test('it is not asked every round, and its last report stays', async () => {
    const line = await registerWithNumber(app);
    twilio.register(line.phoneNumber, { status: 'VERIFIED' });
    await readRegistration(line, 'registered');
    twilio.faults.push({ ...silence });
    await app.runMessageJobs();
    const asked = questions();
    expect(await read(line)).toMatchObject({ registration: 'registered', notice: null });
    expect(questions()).toBe(asked);
  });
});

test('a carrier’s refusal makes the registration due again and is shown with it', async () => {
  const line = await registerWithNumber(app);
  twilio.register(line.phoneNumber, { status: 'VERIFIED' });
  expect(await readRegistration(line, 'registered')).toMatchObject({ notice: null });
  await send(line);
  await twilio.advance(twilio.messages.at(-1)?.sid ?? '', 'undelivered', 30034);
  const found = await read(line);
  expect(found.registration).toBe('registered');
  expect(found.notice).toContain('a carrier blocked a text since');
});

test('a number of another country needs no registration', async () => {
  const person = await registerUser(app);
  await app.pool.query(
    `insert into phone_numbers (user_id, phone_number, sid, state) values ($1, '+442079460100', 'PN1', 'owned')`,
    [person.id],
  );
  expect(await read(person)).toEqual({
    phoneNumber: '+442079460100',
    registration: null,
    notice: null,
  });
});

test('every request to Twilio matches its published description', () => {
  expect(twilio.violations).toEqual([]);
});
