import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, type Page } from '@playwright/test';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { conflictRoutes } from '@matterdesk/contract/conflicts.ts';
import { contactRoutes } from '@matterdesk/contract/contacts.ts';
import { intakeFormRoutes } from '@matterdesk/contract/intake-forms.ts';
import { intakeRoutes } from '@matterdesk/contract/intake-routes.ts';
import { newCase, newContact } from '@matterdesk/server/testing/factories.ts';
import { openConnected } from './support/connection.ts';
import { expectAccessible } from './support/expect.ts';
import { test } from './support/fixtures.ts';

test('an inquiry by telephone is typed with the keyboard alone, answered, and declined', async ({
  page,
  matterdesk,
}) => {
  const person = await matterdesk.register({ firstName: 'Ama', lastName: 'Owusu' });
  const { token } = await matterdesk.register({ role: 'admin' });
  const body = newContact({ name: 'Odile Marchetti' });
  await matterdesk.call(contactRoutes.addContact, { token, body });
  await matterdesk.signIn(page, person);
  await page.goto('/dashboard/intakes');
  await expect(page.getByText('No open intakes')).toBeVisible();
  await page.keyboard.press('n');
  const form = page.getByRole('dialog', { name: 'New Intake' });
  await expect(form.getByLabel('Name', { exact: true })).toBeFocused();
  // The reader is offered once, as 'You'.
  await expect(form.getByLabel('Owner').locator('option').first()).toHaveText('You');
  await expect(form.getByLabel('Owner').locator('option').nth(1)).toBeAttached();
  await expect(form.getByLabel('Owner').locator(`option[value="${person.id}"]`)).toHaveCount(0);
  const type = (text: string) => page.keyboard.type(text);
  const next = () => page.keyboard.press('Tab');
  await type('Denise Okonkwo');
  await next();
  await page.keyboard.press('Enter');
  await expect(form.getByText('Please enter a phone number or an e-mail address')).toBeVisible();
  await form.getByLabel('Phone').focus();
  await type('+1 518 555 0142');
  await next();
  await next();
  await page.keyboard.press('Enter');
  await expect(form.getByRole('textbox', { name: 'Name 1' })).toBeFocused();
  await type('Calloway Foods, LLC');
  await page.keyboard.press('Enter');
  await expect(form).toBeHidden();

  const panel = page.getByRole('complementary', { name: 'Intake' });
  await expect(panel.getByRole('heading', { name: 'Denise Okonkwo' })).toBeVisible();
  await expect(panel.getByText('You own this')).toBeVisible();
  await expect(panel.getByText(/(min|1 h) left to respond/)).toBeVisible();
  await expect(panel.getByRole('button', { name: 'Make matter' })).toBeDisabled();
  const board = (stage: string) => page.getByRole('region', { name: stage });
  await expect(board('New').getByRole('button', { name: /Denise Okonkwo/ })).toBeVisible();
  await panel.getByRole('button', { name: 'Log a call' }).click();
  const said = panel.getByLabel('What was said');
  await said.fill('She sends the police report.');
  // Whatever hides the form keeps what was typed in it.
  await said.press('Escape');
  await expect(said).toBeHidden();
  await panel.getByRole('button', { name: 'Note' }).click();
  await expect(panel.getByRole('textbox', { name: 'Note' })).toHaveValue('');
  await panel.getByRole('button', { name: 'Close' }).click();
  await expect(panel).toBeHidden();
  await page.reload();
  await board('New')
    .getByRole('button', { name: /Denise Okonkwo/ })
    .click();
  await expect(said).toHaveValue('She sends the police report.');
  await panel.getByRole('button', { name: 'Save call' }).click();
  await expect(panel.getByText('“She sends the police report.”')).toBeVisible();
  await panel.getByRole('button', { name: 'Log a call' }).click();
  await expect(said).toHaveValue('');
  await expect(panel.getByText(/Answered in/)).toBeVisible();
  await panel.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Move to Contacted' }).click();
  await expect(board('Contacted').getByRole('button', { name: /Denise Okonkwo/ })).toBeVisible();

  await panel.getByRole('button', { name: 'Decline' }).click();
  const decline = page.getByRole('dialog', { name: 'Decline' });
  await decline.getByLabel('Reason').selectOption('Too late');
  await decline.getByRole('button', { name: 'Decline' }).click();
  await panel.getByRole('button', { name: 'Reopen' }).click();
  await panel.getByRole('button', { name: 'Refer' }).click();
  const refer = page.getByRole('dialog', { name: 'Refer' });
  await refer.getByLabel('Reason').selectOption('No capacity');
  await refer.getByRole('button', { name: 'Refer' }).click();
  const referredTo = refer.getByRole('combobox', { name: 'Referred to' });
  await expect(referredTo).toHaveAccessibleDescription(/Select a contact/);
  await referredTo.click();
  await page.getByRole('combobox', { name: 'Search' }).fill('marchetti');
  await page.getByRole('option', { name: /Odile Marchetti/ }).click();
  await expectAccessible(page);
  await refer.getByRole('button', { name: 'Refer' }).click();
  await expect(panel.getByRole('link', { name: 'To whom' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  await page.getByRole('tab', { name: 'Closed' }).click();
  await expect(page.getByRole('button', { name: 'Denise Okonkwo' })).toBeVisible();
});

test('an inquiry is checked for conflicts in its panel, and a stage that waits for the check leads there', async ({
  page,
  matterdesk,
}) => {
  const person = await matterdesk.register({ role: 'admin' });
  const { token } = person;
  const add = (name: string) =>
    matterdesk.call(intakeRoutes.addIntake, { token, body: { name, phoneNumber: '518 555 0144' } });
  await add('Perpetua Lindgard');
  await matterdesk.signIn(page, person);
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Intakes' }).click();
  await page.getByRole('button', { name: /Perpetua Lindgard/ }).click();
  const panel = page.getByRole('complementary', { name: 'Intake' });
  const check = panel.getByRole('button', { name: 'Check for conflicts' });
  await expect(check).toBeVisible();
  await panel.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Move to Consultation' }).click();
  await expect(page.getByText('Finish the conflict check first')).toBeVisible();
  await expect(check).toBeFocused();
  await panel.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Move to Contacted' }).click();
  await expect(page.getByRole('region', { name: 'Contacted' })).toContainText('Perpetua');
  // A card that is moved answers no one.
  await expect(panel.getByText(/left to respond/)).toBeVisible();
  await check.click();
  await expect(panel.getByText('No match for 1 name.')).toBeVisible();
  await expectAccessible(page);
  await panel.getByRole('button', { name: 'Conclude as cleared' }).click();
  await expect(panel.getByText('Cleared: No match for 1 name')).toBeVisible();
  await expect(panel.getByRole('button', { name: 'Make matter' })).toBeEnabled();

  await panel.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Move to Consultation' }).click();
  const consultation = page.getByRole('dialog', { name: 'Consultation with Perpetua Lindgard' });
  await consultation.getByRole('button', { name: 'Move to Consultation' }).click();
  await expect(consultation.getByText('Please enter the day and the time')).toBeVisible();
  await expectAccessible(page);
  await consultation.getByLabel('Consultation', { exact: true }).fill('2031-02-03T10:30');
  await consultation.getByRole('button', { name: 'Move to Consultation' }).click();
  await expect(consultation).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Consultation' })).toContainText('Perpetua');
  await expect(panel.getByText('Feb 3, 2031', { exact: true })).toBeVisible();

  await matterdesk.call(contactRoutes.addContact, {
    token,
    body: newContact({ name: 'Leocadia Brunswick' }),
  });
  await matterdesk.call(caseRoutes.openCase, {
    token,
    body: newCase({ clientInfo: { ...newCase().clientInfo, name: 'Leocadia Brunswick' } }),
  });
  await add('Leocadia Brunswick');
  await page.getByRole('button', { name: /Leocadia Brunswick/ }).click();
  await panel.getByRole('button', { name: 'Check for conflicts' }).click();
  await panel.getByRole('link', { name: /^(Decide|Conclude)/ }).click();
  await expect(page.getByRole('heading', { name: /Conflict check \d+/ })).toBeVisible();
  await page.getByLabel('Outcome', { exact: true }).selectOption('Declined');
  const decide = page.getByRole('form', { name: 'Decision' });
  const undecided = page.getByText(/hits? ha(ve|s) no decision/);
  while (await undecided.isVisible()) {
    const before = await undecided.innerText();
    await decide.getByRole('radio', { name: /Decline/ }).check();
    await decide.getByLabel('Reason').fill('A client of the firm');
    await decide.getByRole('button', { name: 'Save decision' }).click();
    await expect(page.getByText(before, { exact: true })).toBeHidden();
  }
  await page.getByLabel('Reason of the outcome').fill('A client of the firm');
  await page.getByRole('button', { name: 'Conclude check' }).click();
  await page.getByRole('link', { name: 'Back to the intake' }).click();
  await expect(panel.getByText('Declined: A client of the firm')).toBeVisible();
});

test('an inquiry that was cleared becomes a matter, with nothing typed again', async ({
  page,
  matterdesk,
}) => {
  const person = await matterdesk.register({ role: 'admin' });
  const { token } = person;
  const name = 'Imani Zeldenrust';
  const { intake } = await matterdesk.call(intakeRoutes.addIntake, {
    token,
    body: {
      name,
      phoneNumber: '518 555 0177',
      email: 'imani@client.example',
      address: '5 Elm Street',
      type: 'Civil',
      DOI: '2026-10-30',
      SOL: '2029-10-30',
      parties: [{ name: 'Quarrel Street Bakery', role: 'opposingParty' }],
    },
  });
  const names = [
    { name, role: 'client' },
    { name: 'Quarrel Street Bakery', role: 'opposingParty' },
  ];
  const body = { names, intakeId: intake.id };
  const { check } = await matterdesk.call(conflictRoutes.runCheck, { token, body });
  await matterdesk.call(conflictRoutes.concludeCheck, {
    token,
    params: { id: check.id },
    body: { outcome: 'cleared', reason: 'No match' },
  });
  await matterdesk.signIn(page, person);
  await page.goto(`/dashboard/intakes?intake=${intake.id}`);
  await page.getByRole('button', { name: 'Make matter' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add New Case' });
  await expect(dialog.getByLabel('Case Name')).toHaveValue(`${name} v. Quarrel Street Bakery`);
  await dialog.getByLabel('Case No').fill('INT-2026-1');
  await dialog.getByLabel('Judge').fill('Not assigned');
  await dialog.getByRole('button', { name: 'Next' }).click();
  await expect(dialog.getByLabel('Email').first()).toHaveValue('imani@client.example');
  // The intake's own name, which only this test uses, is none.
  await expect(
    dialog.getByRole('group', { name: 'Client Info' }).getByRole('status').first(),
  ).toHaveText('No match');
  await dialog.getByRole('button', { name: 'Add New Case' }).click();
  await expect(page).toHaveURL(/caseDetails/);
  await expect(page.getByRole('heading', { level: 1 })).toContainText(name);
});

for (const colorScheme of ['light', 'dark'] as const)
  test(`intakes are accessible and follow what comes in, ${colorScheme}`, async ({
    page,
    matterdesk,
  }) => {
    await page.emulateMedia({ colorScheme });
    const person = await matterdesk.register();
    const add = (name: string) =>
      matterdesk.call(intakeRoutes.addIntake, {
        token: person.token,
        body: { name, phoneNumber: '518 555 0100', description: 'Fell from scaffolding' },
      });
    const { intake } = await add('Teodor Ilić');
    await matterdesk.signIn(page, person);
    await page.goto(`/dashboard/intakes?intake=${intake.id}`);
    await expect(page.getByRole('complementary', { name: 'Intake' })).toContainText('Teodor Ilić');
    await expect(page.getByRole('heading', { name: 'Intakes' })).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await add('Grace Lim');
    await expect(page.getByRole('button', { name: /Grace Lim/ })).toBeVisible();
    await page.getByRole('button', { name: 'List', exact: true }).click();
    await expect(page.getByRole('row', { name: /Grace Lim/ })).toBeVisible();
    await expectAccessible(page);
  });

const fields = [
  { key: 'name', label: 'Your name', kind: 'line', required: true, maps: 'name' },
  { key: 'phone', label: 'Phone', kind: 'phone', maps: 'phoneNumber' },
  { key: 'kind', label: 'Kind of accident', kind: 'choice', options: ['Fall', 'Car or truck'] },
  {
    key: 'plate',
    label: 'License plate',
    kind: 'line',
    showIf: { key: 'kind', equals: 'Car or truck' },
  },
  { key: 'story', label: 'What happened?', kind: 'paragraphs', maps: 'description' },
  { key: 'photos', label: 'Photos', kind: 'file' },
];

/** Another site, whose page frames a form. */
async function startSite() {
  const site = createServer((request, response) => {
    const framed = new URL(request.url ?? '/', 'http://site').searchParams.get('frame') ?? '';
    response.setHeader('content-type', 'text/html');
    response.end(
      `<!doctype html><title>Site</title><iframe title="Form" src="${framed}"></iframe>`,
    );
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const { port } = site.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => site.close() };
}

test('a stranger sends the form without JavaScript and cookies, in a frame of an allowed site alone', async ({
  browser,
  matterdesk,
}) => {
  const [allowed, forbidden] = [await startSite(), await startSite()];
  const { token } = await matterdesk.register({ role: 'admin' });
  const form = { slug: 'accidents', name: 'Accidents', fields, active: true };
  await matterdesk.call(intakeFormRoutes.addForm, {
    token,
    body: { ...form, origins: [allowed.origin] },
  });
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 390, height: 844 },
  });
  const stranger = await context.newPage();
  const url = `${matterdesk.url}/intake/accidents?source=Billboard`;
  await stranger.goto(url);
  const plate = stranger.getByLabel('License plate');
  await expect(plate).toBeHidden();
  await stranger.getByLabel('Kind of accident').selectOption('Car or truck');
  await expect(plate).toBeVisible();
  await stranger.getByLabel('What happened?').fill('A delivery truck hit me.');
  await stranger.getByRole('button', { name: 'Send' }).click();
  await expect(stranger.getByRole('alert')).toContainText('Your name: please answer');
  await expect(stranger.getByLabel('What happened?')).toHaveValue('A delivery truck hit me.');
  await expect(plate).toBeVisible();
  await stranger.getByLabel('Your name').fill('Denise Okonkwo');
  await stranger.getByLabel('Phone').fill('518 555 0142');
  await stranger.getByText('I understand that this does not make me a client.').click();
  await stranger
    .getByLabel('Photos')
    .setInputFiles({ name: 'scene.txt', mimeType: 'text/plain', buffer: Buffer.from('A photo') });
  await stranger.getByRole('button', { name: 'Send' }).click();
  await expect(stranger.getByRole('heading', { name: 'Thank you' })).toBeVisible();
  expect(await context.cookies()).toEqual([]);

  const framedAt = async (site: { origin: string }, page: Page) => {
    await page.goto(`${site.origin}/?frame=${encodeURIComponent(url)}`);
    return page.frameLocator('iframe');
  };
  const inside = await framedAt(allowed, stranger);
  await expect(inside.getByRole('button', { name: 'Send' })).toBeVisible();
  const outside = await framedAt(forbidden, stranger);
  await expect(outside.getByRole('button', { name: 'Send' })).toHaveCount(0);
  await context.close();
  allowed.close();
  forbidden.close();

  // A robot is as quick as this test, so that it may be in either list.
  const found = [];
  for (const spam of ['0', '1']) {
    const query = { spam, search: 'Okonkwo' };
    found.push(...(await matterdesk.call(intakeRoutes.listIntakes, { token, query })).intakes);
  }
  const sent = found.filter(({ form: from }) => from?.name === 'Accidents');
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({ source: 'Billboard', description: 'A delivery truck hit me.' });
});

test('an admin makes a form, switches it on, and the public page asks its questions', async ({
  page,
  matterdesk,
}) => {
  await matterdesk.signIn(page, await matterdesk.register({ role: 'admin' }));
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Intakes' }).click();
  await page.getByRole('button', { name: 'Forms' }).click();
  const forms = page.getByRole('list', { name: 'Public forms' });
  await expect(forms.getByText('Personal injury')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'New form' }).click();
  const dialog = page.getByRole('dialog', { name: 'New form' });
  await dialog.getByLabel('Name', { exact: true }).fill('Boat accidents');
  await dialog.getByLabel('Address').fill('Boats');
  await dialog.getByRole('button', { name: 'Add a question' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Question 5' })).toBeFocused();
  await page.keyboard.type('Which lake?');
  const added = dialog.getByRole('listitem').last();
  await added.getByLabel('Kind').selectOption('One of several');
  await dialog.getByRole('button', { name: 'Save form' }).click();
  await expect(
    dialog.getByText('Slug must be lower-case letters, digits and hyphens'),
  ).toBeVisible();
  await dialog.getByLabel('Address').fill('boats');
  await dialog.getByRole('button', { name: 'Save form' }).click();
  await expect(dialog.getByText('Please enter at least one option')).toBeVisible();
  await added.getByLabel('Options').fill('Lake George\nSaratoga Lake');
  await dialog.getByRole('button', { name: 'Move question 5 up' }).focus();
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('textbox', { name: 'Question 4' })).toHaveValue('Which lake?');
  await expect(dialog.getByRole('button', { name: 'Move question 4 up' })).toBeFocused();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Preview' }).click();
  const preview = dialog.frameLocator('iframe[title=Preview]');
  await expect(preview.getByLabel('Which lake?')).toContainText('Saratoga Lake');
  await expectAccessible(page);
  await page.goBack();
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByLabel('Websites that may show it').fill('https://www.boats.example');
  await dialog.getByRole('button', { name: 'Save form' }).click();
  await expect(dialog).toBeHidden();
  const row = forms.getByRole('listitem').filter({ hasText: 'Boat accidents' });
  await row.getByLabel('Boat accidents is active').check();
  const link = row.getByRole('link', { name: /\/intake\/boats$/ });
  await expect(link).toBeVisible();
  await expect(row.getByText(/^<iframe src=".*\/intake\/boats" title="Boat acc/)).toBeVisible();
  await expect(row.getByText('May be shown by https://www.boats.example')).toBeVisible();
  await page.goto((await link.getAttribute('href')) ?? '');
  await expect(page.getByText('Which lake?')).toBeVisible();
  await expect(page.getByLabel('Which lake?')).toContainText('Saratoga Lake');
});

test('a letter of the firm is filled in for the person who asks', async ({ page, matterdesk }) => {
  const admin = await matterdesk.register({ role: 'admin' });
  const body = { name: 'Linnea Brandt', email: 'linnea@brandt.example' };
  const { token } = admin;
  const { intake } = await matterdesk.call(intakeRoutes.addIntake, { token, body });
  await matterdesk.signIn(page, admin);
  await page.goto('/dashboard/intakes?view=forms');
  await page.getByRole('button', { name: 'Add a letter' }).click();
  const letter = page.getByRole('list', { name: 'Letters' }).getByRole('listitem').last();
  await letter.getByLabel('Letter', { exact: true }).fill('Another field');
  await letter.getByLabel('Subject').fill('Your inquiry');
  await letter.getByLabel('Text').fill('Dear {name}, we work in another field.');
  await page.getByLabel('Minutes to respond').fill('0');
  await page.getByRole('button', { name: 'Save settings' }).click();
  await expect(page.getByText(/must be a whole number from 1/)).toBeVisible();
  await page.getByRole('button', { name: 'Forms' }).click();
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await page.getByLabel('Minutes to respond').fill('60');
  await page.getByRole('button', { name: 'Save settings' }).click();
  await expect(page.getByText('Settings saved')).toBeVisible();
  await expect(page.getByText('Not saved yet')).toBeHidden();
  await page.goto(`/dashboard/intakes?intake=${intake.id}`);
  const panel = page.getByRole('complementary', { name: 'Intake' });
  await panel.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Write letter' }).click();
  const dialog = page.getByRole('dialog', { name: 'Write letter' });
  await dialog.getByLabel('Letter', { exact: true }).selectOption('Another field');
  await expect(dialog.getByLabel('Text')).toHaveValue(
    'Dear Linnea Brandt, we work in another field.',
  );
  await expectAccessible(page);
});

test('a caller whom the firm knows is named, with the way to the contact', async ({
  page,
  matterdesk,
}) => {
  const person = await matterdesk.register({ role: 'admin' });
  const { token } = person;
  const phoneNumber = '(518) 555-0477';
  const known = newContact({ name: 'Ottoline Varga', phoneNumbers: ['+1 518 555 0477'] });
  await matterdesk.call(contactRoutes.addContact, { token, body: known });
  const { intake } = await matterdesk.call(intakeRoutes.addIntake, {
    token,
    body: { name: 'O. Varga', phoneNumber },
  });
  await matterdesk.signIn(page, person);
  await page.goto(`/dashboard/intakes?intake=${intake.id}`);
  const line = page.getByText('Same phone as the contact Ottoline Varga');
  await line.getByRole('link', { name: 'Show' }).click();
  await expect(page.getByRole('heading', { name: 'Ottoline Varga' })).toBeVisible();
});

test('saving an intake leaves what someone else changed meanwhile', async ({
  page,
  matterdesk,
}) => {
  const admin = await matterdesk.register({ role: 'admin' });
  const { token } = admin;
  const body = { name: 'Ottoline Greer', phoneNumber: '+1 518 555 0188' };
  const { intake } = await matterdesk.call(intakeRoutes.addIntake, { token, body });
  const params = { id: intake.id };
  await matterdesk.signIn(page, admin);
  await openConnected(page, `/dashboard/intakes?intake=${intake.id}`);
  const panel = page.getByRole('complementary', { name: 'Intake' });
  await panel.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const form = page.getByRole('dialog', { name: 'Edit intake' });
  await form.getByLabel('What happened').fill('Fell on the stairs');
  const change = { phoneNumber: '+1 518 555 0199', nextStep: 'Send the form' };
  await matterdesk.call(intakeRoutes.changeIntake, { token, params, body: change });
  await expect(form.getByLabel('Phone')).toHaveValue('+1 518 555 0199');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form).toBeHidden();
  const saved = await matterdesk.call(intakeRoutes.readIntake, { token, params });
  expect(saved.intake).toMatchObject({ ...change, description: 'Fell on the stairs' });
  expect(saved.intake.dueAt).toBe(intake.dueAt);
});
