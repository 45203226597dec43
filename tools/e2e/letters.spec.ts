import { expect } from '@playwright/test';
import { contactRoutes } from '@matterdesk/contract/contacts.ts';
import { WORD_TYPE } from '@matterdesk/contract/templates.ts';
import { writeWord } from '@matterdesk/server/integrations/templates/word-file.ts';
import { newContact, unique } from '@matterdesk/server/testing/factories.ts';
import { expectAccessible } from './support/expect.ts';
import { test } from './support/fixtures.ts';
import { dialog, openCase } from './support/matters.ts';

for (const colorScheme of ['light', 'dark'] as const)
  test(`letters are made from what the matter says, with what is missing filled first, ${colorScheme}`, async ({
    matterdesk,
    page,
  }) => {
    await page.emulateMedia({ colorScheme });
    const admin = await matterdesk.register({ role: 'admin' });
    const n = unique();
    const clientInfo = {
      name: `Ngozi Abara ${n}`,
      phoneNumber: '(518) 555-0142',
      email: `ngozi.${n}@party.example`,
      address: '14 Elm Street, Albany',
    };
    const matter = { caseName: `Abara v. Northline ${n}`, type: 'PI', clientInfo } as const;
    const { id } = await openCase(matterdesk, admin, matter);
    const clinic = `Albany Clinic ${n}`;
    const contact = newContact({
      kind: 'organisation',
      name: clinic,
      address: '43 Scotland Avenue',
    });
    const body = { role: 'provider', contact } as const;
    await matterdesk.call(contactRoutes.addParty, { token: admin.token, params: { id }, body });
    await matterdesk.signIn(page, admin);
    await page.goto('/dashboard');
    await page.getByRole('link', { name: 'Matters' }).first().click();
    const matters = page.getByRole('table', { name: 'Matters' });
    await matters.getByRole('link', { name: matter.caseName }).first().click();

    await page.getByRole('button', { name: 'New document' }).click();
    const form = dialog(page);
    // Before the templates have arrived, too.
    await expect(form.getByRole('searchbox', { name: 'Search templates' })).toBeFocused();
    await page.keyboard.type('records');
    await page.keyboard.press('Enter');
    await form.getByRole('checkbox', { name: clinic }).check();
    const paper = form.getByRole('region', { name: 'First page' });
    await expect(paper).toContainText(clinic);
    await expect(paper).toContainText('[Client: letter name]');
    await expectAccessible(page);
    await expect(form.getByRole('button', { name: 'Create draft' })).toBeEnabled();
    await paper.getByRole('button', { name: '[Client: letter name]' }).first().click();
    await expect(form.getByRole('textbox', { name: 'Client: letter name' })).toBeFocused();
    await page.keyboard.type('Ms. Abara');
    await form.getByLabel('Client: date of birth').fill('1988-05-09');
    await form.getByRole('button', { name: 'Add a contact' }).click();
    await expect(form.getByRole('combobox', { name: 'Another recipient' })).toBeFocused();
    const dates = form.getByRole('textbox', { name: 'Which dates?' });
    await dates.click();
    await page.keyboard.type('February 12, 2025 to date');
    await expect(dates).toHaveValue('February 12, 2025 to date');
    await page.goBack();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click();
    // Behind the question, the form is hidden from roles until it has closed.
    await expect(form.getByRole('textbox', { name: 'Which dates?' })).toBeVisible();
    // Settings that the firm lacks are filled here, and kept for the next letter.
    for (const [name, text] of [
      ['Firm: name', 'Owusu & Lindqvist LLP'],
      ['Firm: address', '80 Chapel Street'],
    ] as const) {
      const field = form.getByRole('textbox', { name });
      if (await field.isVisible()) await field.fill(text);
    }
    await expect(paper).toContainText('We represent Ms. Abara.');
    await expect(form.getByText('All are filled')).toBeVisible();
    await form.getByRole('button', { name: 'Create document' }).click();
    await expect(form).toBeHidden();

    const file = new RegExp(`Records request – ${clinic} – \\d{4}-\\d\\d-\\d\\d\\.docx`);
    await expect(page.getByText('The document is in Documents')).toBeVisible();
    await expect(page.getByRole('tabpanel').getByText(file)).toBeVisible();
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    const shown = page.frameLocator('iframe').getByText('We represent Ms. Abara.');
    await expect(shown).toBeVisible();
    await page.getByRole('button', { name: 'Close' }).first().click();

    // The facts are the matter's now: the next letter has them.
    await page.getByRole('button', { name: 'New document' }).click();
    await form.getByRole('button', { name: 'Records request' }).click();
    await form.getByRole('checkbox', { name: clinic }).check();
    await expect(paper).toContainText('Ngozi Abara');
    await expect(paper).toContainText('born May 9, 1988');
    await expect(form.getByRole('textbox', { name: 'Client: letter name' })).toBeHidden();
    await expect(form.getByText(/\(2\) DRAFT\.docx|– \d{4}-\d\d-\d\d DRAFT\.docx/)).toBeVisible();
    await page.keyboard.press('Control+Enter');
    await expect(form).toBeHidden();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText('Documents moved to the trash')).toBeVisible();
    await page.getByRole('tab', { name: /Files/ }).click();
    const folder = page.getByRole('tabpanel').getByRole('button', { name: /^Documents/ });
    if ((await folder.getAttribute('aria-expanded')) === 'false') await folder.click();
    await expect(page.getByRole('tabpanel').getByText(file)).toBeVisible();
    await expect(page.getByRole('tabpanel').getByText(/DRAFT\.docx/)).toBeHidden();
  });

test('a template is uploaded, corrected by what was wrong with it, and tried with a matter', async ({
  matterdesk,
  page,
}) => {
  const admin = await matterdesk.register({ role: 'admin' });
  const n = unique();
  const { caseName } = await openCase(matterdesk, admin, { caseName: `Tried v. Tested ${n}` });
  await matterdesk.signIn(page, admin);
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Firm' }).click();
  await page.getByRole('link', { name: 'Templates of letters' }).click();
  await page.getByRole('button', { name: 'Add template' }).click();
  const name = `Status letter ${n}`;
  const file = (text: string) => ({
    name: 'Status.docx',
    mimeType: WORD_TYPE,
    buffer: writeWord([{ text }]),
  });
  const form = dialog(page);
  await form.getByRole('textbox', { name: 'Name' }).fill(name);
  await form.locator('input[type=file]').setInputFiles(file('Dear {{client.nmae}}'));
  await form.getByRole('button', { name: 'Upload', exact: true }).click();
  await expect(form.getByRole('listitem')).toContainText(
    '{{client.nmae}} is not a field. Did you mean client.name?',
  );
  await expectAccessible(page);
  await form.locator('input[type=file]').setInputFiles(file('Dear {{client.name}}'));
  await form.getByRole('button', { name: 'Upload the corrected file' }).click();
  await expect(form).toBeHidden();

  const row = page.getByRole('listitem').filter({ hasText: name });
  await expect(row).toContainText('Every type · Version 2 · 1 field');
  await row.getByRole('button', { name: `More actions on ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Versions' }).click();
  await expect(form.getByRole('list', { name: 'Versions, newest first' })).toContainText('In use');
  await expect(form.getByRole('link', { name: 'Download version 1' })).toBeVisible();
  await form.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Fields' }).click();
  await form.getByRole('searchbox').fill('client birth');
  await expect(form.getByRole('button', { name: /^Client: date of birth/ })).toContainText(
    '{{client.dateOfBirth}}',
  );
  await form.getByRole('button', { name: 'Close' }).click();
  await row.getByRole('button', { name: `Try ${name} with a matter` }).click();
  await form.getByRole('combobox', { name: 'Matter' }).click();
  await page.keyboard.type(caseName);
  await page.getByRole('option').filter({ hasText: caseName }).click();
  await expect(form.getByRole('heading', { name: 'New document' })).toBeVisible();
  await expect(form.getByRole('region', { name: 'First page' })).toContainText('Dear ');
  await expect(form.getByText('Nothing is missing.')).toBeVisible();
  await form.getByRole('button', { name: 'Create document' }).click();
  await expect(page.getByText('The document is in Documents')).toBeVisible();
});
