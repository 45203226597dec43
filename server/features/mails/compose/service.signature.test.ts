import { expect, test } from 'vitest';
import { mailSignatureRoutes } from '@matterdesk/contract/mail-signature.ts';
import { registerUser, type SignedInPerson } from '../../../testing/factories.ts';
import { suite } from '../../../testing/suite.ts';

const { app } = suite({});

const change = ({ token }: SignedInPerson, signature: string) =>
  app.call(mailSignatureRoutes.changeSignature, { token, body: { signature } });
const read = async ({ token }: SignedInPerson) =>
  (await app.call(mailSignatureRoutes.readSignature, { token })).body.signature;

test('a signature is its user’s alone, and can be changed and emptied', async () => {
  const [ada, ben] = [await registerUser(app), await registerUser(app)];
  expect(await read(ada)).toBe('');
  expect(await change(ada, 'Ada Owusu\nHartwell & Osei')).toMatchObject({
    status: 200,
    message: 'Signature saved',
  });
  await change(ben, 'Ben');
  expect(await read(ada)).toBe('Ada Owusu\nHartwell & Osei');
  await change(ada, '');
  expect(await read(ada)).toBe('');
  expect(await read(ben)).toBe('Ben');
});

test('a signature has a length, and needs a user who is signed in', async () => {
  const ada = await registerUser(app);
  expect(await change(ada, 'a'.repeat(2001))).toMatchObject({
    status: 400,
    errors: [{ path: 'signature', message: 'Signature must have at most 2000 characters' }],
  });
  expect(await app.call(mailSignatureRoutes.readSignature, {})).toMatchObject({
    code: 'invalidToken',
  });
});
