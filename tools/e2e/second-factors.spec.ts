import { expect, type Page } from '@playwright/test';
import { firmRoutes, type Firm } from '@matterdesk/contract/firm.ts';
import { secondFactorRoutes } from '@matterdesk/contract/second-factors.ts';
import { codeOf } from '@matterdesk/server/testing/factories.ts';
import { expectAccessible } from './support/expect.ts';
import { logIn, test, type Firm as Product, type Person } from './support/fixtures.ts';

test.use({ hostname: 'localhost' });

/** Turns the app on, on the page that offers it. @returns its secret and the recovery codes */
async function turnOnApp(page: Page, { password }: Person) {
  await page.getByRole('button', { name: 'Set up authenticator app' }).click();
  await page.getByLabel('Current password').last().fill(password);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('img', { name: 'QR code' })).toBeVisible();
  const text = await page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).textContent();
  const secret = (text ?? '').replaceAll(' ', '');
  await page.getByLabel('Six digits').fill('000000');
  await page.getByRole('button', { name: 'Turn on' }).click();
  await expect(page.getByText('This code is not right')).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Six digits').fill(codeOf(secret));
  await page.getByRole('button', { name: 'Turn on' }).click();
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  return { secret, recoveryCodes: await codes.allTextContents() };
}

test('the product turns on an authenticator app, and then signs in with its code or a recovery code', async ({
  page,
  matterdesk,
}) => {
  const person = await matterdesk.register();
  await matterdesk.signIn(page, person);
  await page.goto('/dashboard/account');
  const { secret, recoveryCodes } = await turnOnApp(page, person);
  await expect(page.getByRole('button', { name: 'Done' })).toBeDisabled();
  await expectAccessible(page);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByText(`recovery codes of ${person.email}`)).toBeVisible();
  await page.emulateMedia({ media: 'screen' });
  await page.getByRole('button', { name: 'Print' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('Your authenticator app is on.')).toBeVisible();

  await page.getByRole('button', { name: 'Logout' }).click();
  await logIn(page, person);
  await expect(page.getByText('Enter the code of your authenticator app.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(person.email);
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(person.password);
  await page.getByRole('button', { name: 'Login' }).click();
  await page.getByLabel('Six digits').fill('000000');
  await page.keyboard.press('Enter');
  await expect(page.getByText('This code is not right')).toBeVisible();
  await page.getByLabel('Six digits').fill(codeOf(secret, 'next'));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/dashboard');

  await page.getByRole('button', { name: 'Logout' }).click();
  await logIn(page, person);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '');
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page).toHaveURL('/dashboard');

  await page.goto('/dashboard/account');
  await page.getByRole('button', { name: 'Turn off' }).click();
  await page.getByLabel('Current password').last().fill(person.password);
  await page.getByLabel('Code', { exact: true }).fill(recoveryCodes[1] ?? '');
  await page.getByRole('button', { name: 'Turn off' }).click();
  await expect(page.getByRole('button', { name: 'Set up authenticator app' })).toBeVisible();
});

/** An admin who may change the settings of the firm whatever it demands. */
async function registerBoss({ register, call }: Product) {
  const { token, password } = await register({ role: 'admin' });
  const currentPassword = password;
  const begun = await call(secondFactorRoutes.beginTotp, { token, body: { currentPassword } });
  const code = codeOf(begun.secret);
  await call(secondFactorRoutes.confirmTotp, { token, body: { code } });
  const demand = (secondFactor: Firm['secondFactor']) =>
    call(firmRoutes.changeFirm, { token, body: { secondFactor } });
  return { demand };
}

test('the product leads a user to the second factor that the firm demands, and nowhere else', async ({
  page,
  matterdesk,
}) => {
  const { demand } = await registerBoss(matterdesk);
  const person = await matterdesk.register();
  await matterdesk.signIn(page, person);
  await page.goto('/dashboard/matters');
  await expect(page.getByRole('heading', { name: 'Active Projects' })).toBeVisible();
  try {
    await demand('everyone');
    await expect(page).toHaveURL('/set-up-second-factor');
    await page.goto('/dashboard/matters');
    await expect(page).toHaveURL('/set-up-second-factor');
    await expectAccessible(page);
    await turnOnApp(page, person);
    await page.getByRole('button', { name: 'Print' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(page).toHaveURL('/dashboard');
    await page.goto('/dashboard/account');
    await expect(page.getByText('Your firm requires a second factor')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Turn off' })).toBeDisabled();
  } finally {
    await demand('optional');
  }
});

/** A device with a fingerprint reader, whose finger always fits. */
async function plugIn(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

test('the product signs in with a passkey, whose answer works once, and unlocks a page with it', async ({
  page,
  matterdesk,
}) => {
  await page.clock.install();
  const person = await matterdesk.register();
  await matterdesk.signIn(page, person);
  await page.goto('/dashboard/account');
  await plugIn(page);
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByLabel('Current password').last().fill('wrong password');
  await page.getByLabel('Name', { exact: true }).fill('Desk reader');
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await expect(page.getByText('The password is not right')).toBeVisible();
  await page.getByLabel('Current password').last().fill(person.password);
  await page.getByRole('button', { name: 'Add passkey' }).click();
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  const [recoveryCode = ''] = await codes.allTextContents();
  await page.getByRole('button', { name: 'Print' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText(/Desk reader added today · not used yet/)).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Logout' }).click();
  const asked = page.waitForRequest(/login\/passkey$/);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page).toHaveURL('/dashboard');
  const answer = (await asked).postData() ?? '';
  const again = await page.request.post('/api/v1/users/login/passkey', {
    headers: { 'content-type': 'application/json' },
    data: answer,
  });
  expect(again.status()).toBe(401);

  await page.clock.fastForward('13:00:00');
  const cover = page.getByRole('dialog', { name: 'Locked' });
  await cover.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(cover).toBeHidden();

  await page.getByRole('button', { name: 'Logout' }).click();
  await logIn(page, person);
  await expect(page.getByText('Use your passkey or a recovery code.')).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Recovery code').fill(recoveryCode);
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page).toHaveURL('/dashboard');

  await page.goto('/dashboard/account');
  await page.getByRole('button', { name: 'Remove Desk reader' }).click();
  await page.getByLabel('Current password').last().fill(person.password);
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('Passkey removed')).toBeVisible();
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByText('This passkey does not open an account here')).toBeVisible();
  await logIn(page, person);
  await expect(page).toHaveURL('/dashboard');
});
