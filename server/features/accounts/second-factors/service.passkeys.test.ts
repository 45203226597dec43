import { expect, test } from 'vitest';
import { passkeyRoutes } from '@matterdesk/contract/second-factors.ts';
import { suite } from '../../../testing/app.ts';
import { PASSWORD, registerUser } from '../../../testing/factories.ts';

// The answers of browsers are tested in tools/e2e/second-factors.spec.ts.

const { app } = suite({}, { env: { PUBLIC_URL: 'https://desk.firm.example' } });
const begin = (token: string, currentPassword = PASSWORD) =>
  app.call(passkeyRoutes.begin, { token, body: { currentPassword } });

test('a browser is asked for a passkey of this host that verifies its user', async () => {
  const { token, email } = await registerUser(app);
  expect(await begin(token, 'wrong password')).toMatchObject({ code: 'wrongPassword' });
  expect((await begin(token)).body).toMatchObject({
    rp: { id: 'desk.firm.example', name: 'Matterdesk' },
    user: { name: email },
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  const { body } = await app.call(passkeyRoutes.beginSignIn);
  expect(body).toMatchObject({ rpId: 'desk.firm.example', userVerification: 'required' });
});

test('asking for a challenge stores nothing', async () => {
  const challenges = await Promise.all(
    [1, 2, 3].map(async () => (await app.call(passkeyRoutes.beginSignIn)).body.challenge),
  );
  expect(new Set(challenges).size).toBe(3);
  expect((await app.pool.query('select from used_challenges')).rows).toHaveLength(0);
});

test('the server refuses answers that are wrong, to other challenges, or of unknown passkeys', async () => {
  const { token, id } = await registerUser(app);
  const { challenge } = (await begin(token)).body;
  const { body: forSignIn } = await app.call(passkeyRoutes.beginSignIn);
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const answerTo = (asked: string, response: object) => ({
    id: 'AAAA',
    rawId: 'AAAA',
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      clientDataJSON: encode({
        type: 'webauthn.create',
        challenge: asked,
        origin: 'https://desk.firm.example',
      }),
      ...response,
    },
  });
  const refused = { status: 401, code: 'passkeyRefused' };
  for (const asked of [challenge, forSignIn.challenge]) {
    const answer = answerTo(asked, { attestationObject: 'AAAA' });
    const added = await app.call(passkeyRoutes.add, { token, body: { answer, name: 'Key' } });
    expect(added).toMatchObject(refused);
    const signed = answerTo(asked, { authenticatorData: 'AAAA', signature: 'AAAA' });
    expect(await app.call(passkeyRoutes.signIn, { body: { answer: signed } })).toMatchObject(
      refused,
    );
  }
  expect((await app.call(passkeyRoutes.list, { token })).body).toEqual({ passkeys: [] });
  const removed = await app.call(passkeyRoutes.remove, {
    token,
    params: { id },
    body: { currentPassword: PASSWORD },
  });
  expect(removed).toMatchObject({ status: 404, message: 'Passkey not found' });
});

test.each([[{}], [{ answer: 'x' }], [{ answer: { id: 5, response: {} } }]])(
  'the server refuses %j before anything is verified',
  async (body) => {
    expect(await app.call(passkeyRoutes.signIn, { body })).toMatchObject({
      status: 400,
      code: 'invalidInput',
    });
  },
);
