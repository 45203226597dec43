import { expect } from '@playwright/test';
import { accessRoutes } from '@matterdesk/contract/access.ts';
import { conflictRoutes } from '@matterdesk/contract/conflicts.ts';
import { keepOffline } from './support/connection.ts';
import { expectAccessible } from './support/expect.ts';
import { holdRequests, test } from './support/fixtures.ts';
import { dialog, openCase } from './support/matters.ts';

/** Names that no other test of the same product uses: each of their matters would be a hit. */
const names = {
  light: { company: 'Ostrander Foods', person: 'Philippa Nkemelu', counsel: 'Tarrant Weatherby' },
  dark: { company: 'Vandermeer Mills', person: 'Tobias Quist', counsel: 'Lund Rosewater' },
};

function clientOf(name: string) {
  const email = `${
    name
      .toLowerCase()
      .match(/[a-z]+/g)
      ?.join('.') ?? ''
  }@party.example`;
  return { name, phoneNumber: phoneOf(name), email, address: `The house of ${name}` };
}

function counselOf(name: string) {
  return { ...clientOf(name), organization: `${name} LLP` };
}

/** A number of its own for each name. */
function phoneOf(name: string): string {
  const digits = [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1e7, 7);
  return `+1 518 ${String(digits).padStart(7, '0')}`;
}

for (const colorScheme of ['light', 'dark'] as const) {
  const { company, person, counsel } = names[colorScheme];
  test(`a check is run for a case, decided, concluded and run again, ${colorScheme}`, async ({
    matterdesk,
    page,
  }) => {
    await page.emulateMedia({ colorScheme });
    const admin = await matterdesk.register({ role: 'admin' });
    const opposingCounselInfo = counselOf(counsel);
    const clientInfo = clientOf(`${company}, Inc.`);
    await openCase(matterdesk, admin, { caseName: `Reyes v. ${company}`, clientInfo });
    const own = { caseName: 'The new matter', clientInfo: clientOf(person), opposingCounselInfo };
    const { id } = await openCase(matterdesk, admin, own);
    await matterdesk.signIn(page, admin);
    // The dialog waits for the names of the case, however late they come.
    const release = await holdRequests(page, `**/api/v1/cases/${id}/parties`);
    await page.goto(`/dashboard/caseDetails/${id}`);
    await page.getByRole('link', { name: 'Conflict checks of this case' }).click();
    await page.getByRole('button', { name: 'New check' }).click();
    await expect(page.getByRole('button', { name: 'New check' })).toHaveAttribute(
      'aria-busy',
      'true',
    );
    release();
    await expect(dialog(page).getByRole('textbox', { name: 'Name 1' })).toHaveValue(person);
    await dialog(page).getByRole('button', { name: 'Add a name' }).click();
    await page.keyboard.type(`${company} LLC`);
    await dialog(page).getByLabel('Role 3').selectOption('Opposing party');
    await expect(dialog(page).getByRole('button', { name: /possible conflict/ })).not.toHaveCount(
      0,
    );
    await expectAccessible(page);
    await dialog(page).getByRole('button', { name: 'Run check' }).click();

    await expect(page.getByRole('heading', { name: /Conflict check \d+/ })).toBeVisible();
    const namesOf = page.getByRole('region', { name: 'Names' });
    const record = page.getByRole('complementary', { name: 'Record' });
    await namesOf.getByRole('button', { name: `${company} LLC` }).click();
    const hits = page.getByRole('region', { name: 'Hits' }).getByRole('listitem');
    const direct = hits.filter({ hasText: 'Direct' });
    await expect(direct).toContainText(`Client in Reyes v. ${company} · active`);
    await expect(direct).toContainText('the legal form does not count');
    await expectAccessible(page);
    await namesOf.getByRole('button', { name: /All names/ }).click();
    await expect(page.getByRole('button', { name: 'Conclude check' })).toBeDisabled();
    const form = page.getByRole('form', { name: 'Decision' });
    await expect(form.getByRole('radio', { checked: true })).toHaveCount(0);
    await form.getByLabel('Reason').fill('Too quick');
    await form.getByRole('button', { name: 'Save decision' }).click();
    await expect(form.getByText('Please choose a decision')).toBeVisible();
    await form.getByLabel('Reason').fill('');
    await form.getByRole('radio', { name: /Waiver/ }).check();
    await form.getByRole('button', { name: 'Save decision' }).click();
    await expect(form.getByText('Please enter a reason')).toBeVisible();
    await form.getByLabel('Reason').fill('Both sides agree');
    await form.getByRole('button', { name: 'Save decision' }).click();
    await expect(form.getByText('Please attach the waiver')).toBeVisible();
    const undecided = page.getByText(/hits? ha(ve|s) no decision/);
    for (let left = Number.parseInt(await undecided.innerText(), 10); left > 0; left -= 1) {
      await form.getByRole('radio', { name: /No conflict/ }).check();
      await form.getByLabel('Reason').fill('Another company of the same name');
      const isDirect = (await hits.filter({ has: form }).getByText('Direct').count()) > 0;
      await form.getByRole('button', { name: 'Save decision' }).click();
      if (isDirect) {
        const question = page.getByRole('alertdialog', { name: 'Clear a direct hit?' });
        await expect(question).toContainText(`client in Reyes v. ${company}, active`);
        await expectAccessible(page, '[role=alertdialog]');
        await question.getByRole('button', { name: 'No conflict' }).click();
      }
      if (left > 1) await expect(undecided).toContainText(`${left - 1} hit`);
    }
    await expect(undecided).toBeHidden();
    await page.getByLabel('Outcome', { exact: true }).selectOption('Cleared');
    await page.getByRole('button', { name: 'Conclude check' }).click();
    const conclusion = page.getByRole('form', { name: 'Conclude' });
    await expect(conclusion.getByText('Please enter a reason')).toBeVisible();
    await page.getByLabel('Reason of the outcome').fill('No adverse interest');
    await page.getByRole('button', { name: 'Conclude check' }).click();
    const outcome = page.getByRole('region', { name: 'Outcome' });
    await expect(outcome).toContainText('No adverse interest');
    await expect(outcome).toBeFocused();
    await expect(page.getByRole('button', { name: /Decide/ })).toHaveCount(0);
    await expect(record).toContainText(/[0-9a-f]{64}/);
    await expectAccessible(page);

    const saving = page.waitForEvent('download');
    await page.getByRole('link', { name: 'PDF' }).click();
    expect((await saving).suggestedFilename()).toMatch(/\.pdf$/);
    await page.getByRole('button', { name: 'Run again' }).click();
    await expect(outcome).toBeHidden();
    await expect(
      record.getByRole('link', { name: 'The check that this one repeats' }),
    ).toBeVisible();
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByText('Conflict checks').click();
    // Checks of other tests may have come above it, and the table draws only what is visible.
    await page.getByRole('searchbox', { name: 'Search names' }).fill(company);
    const table = page.getByRole('table', { name: 'Conflict checks' });
    await expect(table.getByRole('row').filter({ hasText: 'Cleared' })).not.toHaveCount(0);
    await expectAccessible(page);
  });
}

test('a walled matter answers only whom to ask, and the answer is the decision', async ({
  matterdesk,
  page,
}) => {
  const admin = await matterdesk.register({ role: 'admin', firstName: 'Rune', lastName: 'Inside' });
  const clientInfo = clientOf('Meyer Haulage');
  const assignedUsers = [admin.id];
  const walled = { caseName: 'Secret v. Meyer', clientInfo, assignedUsers };
  const { id } = await openCase(matterdesk, admin, walled);
  const place = { kind: 'cases', id };
  const { token } = admin;
  const now = await matterdesk.call(accessRoutes.readAccess, { token, params: place });
  const body = {
    mode: 'restricted' as const,
    people: [],
    screened: [],
    reason: 'Celebrity client',
    updatedAt: now.access.updatedAt,
  };
  await matterdesk.call(accessRoutes.changeAccess, { token, params: place, body });
  await matterdesk.signIn(page, await matterdesk.register({ role: 'admin' }));
  await page.goto('/dashboard/conflicts');
  await page.getByRole('button', { name: 'New check' }).click();
  await dialog(page).getByRole('textbox', { name: 'Name 1' }).fill('Meyer Haulage');
  await dialog(page)
    .getByRole('button', { name: /possible conflict/ })
    .click();
  await expect(
    dialog(page)
      .getByText(/Ask Rune Inside/)
      .first(),
  ).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Run check' }).click();
  const hit = page.getByRole('listitem').filter({ hasText: 'In a matter you can’t see' });
  await expect(hit.first()).toContainText('Hidden');
  await expect(page.getByRole('main')).not.toContainText('Secret v. Meyer');
  await expectAccessible(page);
  await page.getByRole('form', { name: 'Decision' }).getByLabel('The answer').fill('Not adverse');
  await page.getByRole('button', { name: 'Save decision' }).click();
  await expect(hit.first()).toContainText('Asked');
  await expect(hit.first()).toContainText('Not adverse');
});

test('a list of checks that fails is read again, and a user without the permission only looks @phone', async ({
  matterdesk,
  page,
}) => {
  await keepOffline(page);
  await matterdesk.signIn(page, await matterdesk.register());
  await page.route('**/api/v1/conflicts?*', (route) => route.abort());
  await page.goto('/dashboard/conflicts');
  await expect(page.getByText('Couldn’t load the conflict checks')).toBeVisible();
  await page.unroute('**/api/v1/conflicts?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('button', { name: 'New check' }).click();
  await dialog(page).getByRole('textbox', { name: 'Name 1' }).fill('Quentin Nobodyknown');
  await expect(dialog(page).getByText('No match')).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Run check' }).click();
  await expect(page.getByText('No match for 1 name.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Conclude check' })).toHaveCount(0);
  await expectAccessible(page);
});

test('a list of checks shows how many hits wait @phone', async ({ matterdesk, page }) => {
  const admin = await matterdesk.register({ role: 'admin' });
  const name = 'Wendell Marchbanks';
  for (let n = 0; n < 10; n += 1) {
    const clientInfo = { ...clientOf(`${name} ${n}`), name };
    await openCase(matterdesk, admin, { caseName: `Marchbanks ${n}`, clientInfo });
  }
  const asked = { name, role: null, emails: [], phoneNumbers: [], otherNames: [] };
  const body = { names: [asked], texts: false };
  await matterdesk.call(conflictRoutes.runCheck, { token: admin.token, body });
  await matterdesk.signIn(page, admin);
  await page.goto('/dashboard/conflicts');
  await page.getByRole('searchbox', { name: 'Search names' }).fill(name);
  const state = page.getByText(/^\d\d hits to decide$/);
  await expect(state).toBeVisible();
  expect(await state.evaluate((line) => line.scrollWidth - line.clientWidth)).toBe(0);
});
