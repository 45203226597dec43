import { beforeAll, beforeEach, expect, test } from 'vitest';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { aiRoutes } from '@matterdesk/contract/ai.ts';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { type Firm, firmRoutes } from '@matterdesk/contract/firm.ts';
import { secondFactorRoutes } from '@matterdesk/contract/second-factors.ts';
import { suite } from '../../../testing/app.ts';
import { disconnected } from '../../../testing/client.ts';
import {
  codeOf,
  turnOnApp,
  PASSWORD,
  registerAdmin,
  registerUser,
  type SignedInPerson,
  signIn,
} from '../../../testing/factories.ts';

const MUST_ENROL = {
  status: 403,
  code: 'mustEnrol',
  message: 'Please set up a second factor first',
  body: null,
};

const { app, boss } = suite({ boss: registerAdmin });
beforeAll(async () => {
  await turnOnApp(app, boss);
});

beforeEach(() => demand('optional'));

async function demand(secondFactor: Firm['secondFactor']) {
  const reply = await app.call(firmRoutes.changeFirm, {
    token: boss.token,
    body: { secondFactor },
  });
  expect(reply.status).toBe(200);
}

const listCases = ({ token }: SignedInPerson) => app.call(caseRoutes.listCases, { token });
const readMe = ({ token }: SignedInPerson) => app.call(accountRoutes.me, { token });

test('an admin of a firm that demands a factor of admins gets no further than setting it up', async () => {
  const [admin, user] = [await registerAdmin(app), await registerUser(app)];
  await demand('admins');
  expect(await signIn(app, admin.email)).toMatchObject({ mustEnrol: true, secondFactor: 'none' });
  expect(await listCases(admin)).toMatchObject(MUST_ENROL);
  expect(await listCases(user)).toMatchObject({ status: 200 });
  const body = { case_id: 'x', folder: 'x', file_name: 'x', question: 'x' };
  const asked = await app.call(aiRoutes.ask, { token: admin.token, body });
  const { status, code, message } = MUST_ENROL;
  expect(JSON.parse(asked.text)).toEqual({ status, code, message });
  await expect(app.socket(admin.token)).rejects.toMatchObject({ data: { code: 'mustEnrol' } });
  await app.socket(user.token);
  await turnOnApp(app, admin);
  expect(await readMe(admin)).toMatchObject({ body: { mustEnrol: false, secondFactor: 'totp' } });
  expect(await listCases(admin)).toMatchObject({ status: 200 });
  await app.socket(admin.token);
});

test('the last factor stays while the firm demands one', async () => {
  const user = await registerUser(app);
  const { secret, recoveryCodes } = await turnOnApp(app, user);
  await demand('everyone');
  const end = (code: string) =>
    app.call(secondFactorRoutes.endTotp, {
      token: user.token,
      body: { currentPassword: PASSWORD, code },
    });
  expect(await end(codeOf(secret, 'next'))).toMatchObject({ status: 409, code: 'lastFactor' });
  expect(await readMe(user)).toMatchObject({ body: { secondFactor: 'totp' } });
  await demand('optional');
  expect(await end(recoveryCodes[0] ?? '')).toMatchObject({ status: 200 });
});

test('open tabs of a user close once the firm demands a factor, or an admin removes it', async () => {
  const [bare, safe] = [await registerUser(app), await registerUser(app)];
  await turnOnApp(app, safe);
  const closed = disconnected(await app.socket(bare.token));
  await demand('everyone');
  await closed;
  await expect(app.socket(bare.token)).rejects.toMatchObject({ data: { code: 'mustEnrol' } });
  const closedToo = disconnected(await app.socket(safe.token));
  await app.call(secondFactorRoutes.removeSecondFactor, {
    token: boss.token,
    params: { id: safe.id },
  });
  await closedToo;
  expect(await listCases(safe)).toMatchObject(MUST_ENROL);
});
