import { expect } from '@playwright/test';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { contactRoutes, type NewContact } from '@matterdesk/contract/contacts.ts';
import { keepOffline, openConnected } from './support/connection.ts';
import { expectAccessible } from './support/expect.ts';
import { type Firm, holdRequests, type Person, test } from './support/fixtures.ts';
import { dialog, fillCase, fillParties, openCase } from './support/matters.ts';

type Named = Partial<NewContact> & { name: string };

async function addContact(matterdesk: Firm, { token }: Person, own: Named) {
  const body = { kind: 'person' as const, ...own };
  return (await matterdesk.call(contactRoutes.addContact, { token, body })).contact;
}

test('contacts are listed by name, filtered, walked with keys, and added', async ({
  matterdesk,
  page,
}) => {
  const admin = await matterdesk.register({ role: 'admin' });
  await addContact(matterdesk, admin, { name: 'Zoe Adler', phoneNumbers: ['518 555 0170'] });
  await addContact(matterdesk, admin, { name: 'Zoe Adler Foods', kind: 'organisation' });
  await addContact(matterdesk, admin, { name: 'Zoltan Berg', emails: ['berg@example.com'] });
  await matterdesk.signIn(page, admin);
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Contacts', exact: true }).click();
  await page.getByPlaceholder('Search contacts').fill('zo');
  const table = page.getByRole('table', { name: 'Contacts' });
  await expect(table.getByRole('link')).toHaveText(['Zoe Adler', 'Zoe Adler Foods', 'Zoltan Berg']);
  await page.getByRole('tab', { name: 'All' }).focus();
  const named = (name: string) => table.getByRole('link', { name, exact: true });
  for (const [key, name] of [
    ['j', 'Zoe Adler'],
    ['j', 'Zoe Adler Foods'],
    ['k', 'Zoe Adler'],
  ] as const) {
    await page.keyboard.press(key);
    await expect(named(name)).toBeFocused();
  }
  await expectAccessible(page);
  await page.getByRole('tab', { name: 'Organizations' }).click();
  await expect(table.getByRole('link')).toHaveText(['Zoe Adler Foods']);
  await expect(page).toHaveURL(/kind=organisation/);
  await page.getByLabel('Role').selectOption('Judge');
  await expect(page.getByText('No match')).toBeVisible();
  await page.getByRole('main').getByRole('button', { name: 'Clear search' }).last().click();
  await expect(named('Zoe Adler')).toBeVisible();

  await page.getByRole('button', { name: 'New contact' }).click();
  await expect(dialog(page).getByLabel('Name', { exact: true })).toBeFocused();
  await dialog(page).getByRole('button', { name: 'Add contact' }).click();
  await expect(dialog(page).getByText('Name is required')).toBeVisible();
  await dialog(page).getByLabel('Name', { exact: true }).fill('Zora Neal');
  await dialog(page).getByLabel('Phone number, main').fill('+1 212 555 0111');
  await dialog(page).getByLabel('Email, main').fill('zora');
  await dialog(page).getByRole('button', { name: 'Add contact' }).click();
  await expect(dialog(page).getByText('Invalid email format')).toBeVisible();
  await expectAccessible(page);
  await dialog(page).getByLabel('Email, main').fill('zora@example.com');
  await dialog(page).getByRole('button', { name: 'Add email' }).click();
  await page.keyboard.type('z.neal@example.com');
  await dialog(page).getByLabel('Fax').fill('+1 212 555 0112');
  await dialog(page).getByLabel('Name in letters').fill('Ms. Neal');
  await dialog(page).getByLabel('Salutation').fill('Dear Zora');
  await dialog(page).getByRole('combobox', { name: 'Link a contact' }).click();
  await page.getByRole('combobox', { name: 'Search' }).fill('berg');
  await page.getByRole('option', { name: /Zoltan Berg/ }).click();
  await dialog(page).getByLabel('What Zoltan Berg is').selectOption('Relative');
  await dialog(page).getByRole('button', { name: 'Add contact' }).click();

  await expect(page.getByRole('heading', { name: 'Zora Neal' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'z.neal@example.com' })).toBeVisible();
  for (const text of ['+1 212 555 0112', 'Ms. Neal', 'Dear Zora'])
    await expect(page.getByText(text)).toBeVisible();
  await page.getByRole('link', { name: 'Zoltan Berg' }).click();
  await expect(page.getByRole('heading', { name: 'Zoltan Berg' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Zora Neal' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Find anything' }).fill('zora');
  await page.getByRole('group', { name: 'Contacts' }).getByRole('option').click();
  await expect(page.getByRole('heading', { name: 'Zora Neal' })).toBeVisible();
});

test('a card shows matters with roles, and a change goes into the ticked ones', async ({
  matterdesk,
  page,
}) => {
  const admin = await matterdesk.register({ role: 'admin' });
  const clientInfo = {
    name: 'Amara Contee',
    phoneNumber: '+1 646 555 0107',
    email: 'amara.contee@example.com',
    address: '12 Elm Street',
  };
  const first = await openCase(matterdesk, admin, { caseName: 'Contee v. Northline', clientInfo });
  await openCase(matterdesk, admin, { caseName: 'Contee v. Harbor', clientInfo });
  await matterdesk.signIn(page, admin);
  await page.goto('/dashboard/contacts?search=amara.contee');
  await page.getByRole('link', { name: 'Amara Contee' }).click();
  const matters = page.getByRole('table', { name: 'Matters' });
  await expect(matters.getByRole('row')).toHaveCount(2);
  await expect(matters.getByRole('row').first()).toContainText('Client');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Edit' }).click();
  await expect(dialog(page).getByText('Also change these matters?')).toBeHidden();
  await dialog(page).getByLabel('Phone number, main').fill('+1 518 555 0107');
  const ticks = dialog(page).getByRole('checkbox');
  await expect(ticks).toHaveCount(2);
  for (const tick of await ticks.all()) await expect(tick).not.toBeChecked();
  await dialog(page)
    .getByRole('checkbox', { name: /Northline/ })
    .check();
  await expectAccessible(page);
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(page.getByRole('link', { name: '+1 518 555 0107' })).toBeVisible();
  const { cases } = await matterdesk.call(caseRoutes.listCases, {
    token: admin.token,
    query: { search: 'Contee' },
  });
  const numbers = cases.map((matter) => [matter.id === first.id, matter.clientInfo.phoneNumber]);
  expect(numbers).toContainEqual([true, '+1 518 555 0107']);
  expect(numbers).toContainEqual([false, '+1 646 555 0107']);
});

test('lookalikes are merged by a person, and the merge is undone', async ({ matterdesk, page }) => {
  const admin = await matterdesk.register({ role: 'admin' });
  const phoneNumbers = ['+1 917 555 0123'];
  const own = { name: 'Chidi Obi', phoneNumbers, notes: 'Call after two' };
  const { id } = await addContact(matterdesk, admin, own);
  await addContact(matterdesk, admin, { name: 'C. Obi', phoneNumbers });
  await matterdesk.signIn(page, admin);
  await page.goto(`/dashboard/contacts/${id}`);
  const alike = page.getByRole('region', { name: 'Possibly the same' });
  await expect(alike).toContainText('C. Obi may be the same person');
  await alike.getByRole('button', { name: 'Compare and merge' }).click();
  await expect(dialog(page).getByRole('radio', { name: 'Chidi Obi' })).toBeChecked();
  await expectAccessible(page);
  await dialog(page).getByRole('button', { name: 'Merge' }).click();
  await expect(page.getByText('also C. Obi')).toBeVisible();
  await expect(alike).toContainText('Merged with C. Obi');
  await alike.getByRole('button', { name: 'Undo merge' }).click();
  await expect(page.getByText('also C. Obi')).toBeHidden();
  await alike.getByRole('button', { name: 'Not the same' }).click();
  await expect(alike).toBeHidden();
});

test('a change that is being typed goes to the contact that its own is merged with meanwhile', async ({
  matterdesk,
  page,
}) => {
  const admin = await matterdesk.register({ role: 'admin' });
  const { token } = admin;
  const { id: other } = await addContact(matterdesk, admin, { name: 'Nkem Eze' });
  const { id } = await addContact(matterdesk, admin, {
    name: 'Nkemdilim Eze',
    notes: 'Hard of hearing',
  });
  await matterdesk.signIn(page, admin);
  await openConnected(page, `/dashboard/contacts/${other}`);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await dialog(page).getByLabel('Fax').fill('+1 518 555 0142');
  await matterdesk.call(contactRoutes.mergeContacts, {
    token,
    params: { id },
    body: { from: other },
  });
  await expect(dialog(page).getByLabel('Name', { exact: true })).toHaveValue('Nkemdilim Eze');
  await expect(dialog(page).getByLabel('Fax')).toHaveValue('+1 518 555 0142');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Nkemdilim Eze' })).toBeVisible();
  const { contact } = await matterdesk.call(contactRoutes.readContact, { token, params: { id } });
  expect(contact).toMatchObject({ fax: '+1 518 555 0142', notes: 'Hard of hearing' });
});

test('a contact is deleted after a question, whose refusal leaves it and the focus', async ({
  matterdesk,
  page,
}) => {
  const admin = await matterdesk.register({ role: 'admin' });
  await addContact(matterdesk, admin, { name: 'Quill Aster' });
  await matterdesk.signIn(page, admin);
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Contacts', exact: true }).click();
  await page.getByPlaceholder('Search contacts').fill('Quill Aster');
  await page.getByRole('link', { name: 'Quill Aster' }).click();
  const more = page.getByRole('button', { name: 'More actions' });
  const question = page.getByRole('alertdialog', { name: 'Delete Quill Aster?' });
  await more.click();
  await page.getByRole('menuitem', { name: 'Delete contact' }).click();
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(more).toBeFocused();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Delete contact' }).click();
  await question.getByRole('button', { name: 'Delete contact' }).click();
  await expect(page.getByRole('heading', { name: 'Contacts' })).toBeVisible();
  await page.getByPlaceholder('Search contacts').fill('Quill Aster');
  await expect(page.getByText('No match')).toBeVisible();
});

test('a contact on a phone, a reader without permissions, and a failure @phone', async ({
  matterdesk,
  page,
}) => {
  await keepOffline(page);
  const admin = await matterdesk.register({ role: 'admin' });
  await addContact(matterdesk, admin, { name: 'Phone Person', emails: ['p@p.co'] });
  const reader = await matterdesk.register();
  await matterdesk.signIn(page, reader);
  await page.route('**/api/v1/contacts?*', (route) => route.abort());
  await page.goto('/dashboard/contacts');
  await expect(page.getByText('Couldn’t load the contacts')).toBeVisible();
  await page.unroute('**/api/v1/contacts?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('link', { name: 'Phone Person' }).click();
  await expect(page.getByRole('heading', { name: 'Phone Person' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Edit' })).toHaveCount(0);
  await expectAccessible(page);
  const { scrollWidth, clientWidth } = await page
    .getByRole('main')
    .evaluate((main) => ({ scrollWidth: main.scrollWidth, clientWidth: main.clientWidth }));
  expect(scrollWidth).toBe(clientWidth);
  await page.goto('/dashboard/contacts/00000000-0000-4000-8000-000000000000');
  await expect(page.getByText('Contact not found')).toBeVisible();
});

test('a new case offers contacts and says what names match; its other parties are contacts', async ({
  matterdesk,
  page,
}) => {
  const admin = await matterdesk.register({ role: 'admin' });
  const clientInfo = {
    name: 'Penhallow Foods, Inc.',
    phoneNumber: '+1 646 555 0199',
    email: 'legal@penhallow.example',
    address: '9 Market Street',
  };
  await openCase(matterdesk, admin, { caseName: 'Reyes v. Penhallow', clientInfo });
  await matterdesk.signIn(page, admin);
  await page.goto('/dashboard/matters');
  await page.getByRole('button', { name: 'New Case' }).click();
  await fillCase(page, { 'Case Name': 'Thackeray v. Penhallow' });
  await dialog(page).getByRole('button', { name: 'Next' }).click();
  const client = dialog(page).getByRole('group', { name: 'Client Info' });
  await client.getByLabel('Name').fill('Odalys Thackeray');
  await expect(client.getByText('No match')).toBeVisible();
  await client.getByLabel('Name').fill('penhal');
  await expect(client.getByRole('option', { name: /Penhallow Foods, Inc\./ })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(client.getByLabel('Email')).toHaveValue('legal@penhallow.example');
  await fillParties(page);
  const counsel = dialog(page).getByRole('group', { name: 'Opposing Counsel Info' });
  await counsel.getByLabel('Name').fill('Penhallow Foods LLC');
  await counsel.getByRole('button', { name: /possible conflict/ }).click();
  await expect(counsel.getByText('Direct')).toBeVisible();
  await expect(counsel.getByText(/the legal form does not count/)).toBeVisible();
  await expectAccessible(page);
  await dialog(page).getByRole('button', { name: 'Add New Case' }).click();
  await expect(page.getByRole('heading', { name: 'Thackeray v. Penhallow' })).toBeVisible();

  const others = page.getByRole('region', { name: 'Other parties' });
  await others.getByRole('button', { name: 'Add party' }).click();
  await dialog(page).getByRole('radio', { name: 'A new contact' }).check();
  await dialog(page).getByLabel('Name').fill('Keystone Insurance');
  await dialog(page).getByLabel('Role').selectOption('Insurer');
  await expectAccessible(page);
  await dialog(page).getByRole('button', { name: 'Add party' }).click();
  await expect(others.getByRole('link', { name: 'Keystone Insurance' })).toBeVisible();
  await others.getByRole('button', { name: 'Actions for Keystone Insurance' }).click();
  await page.getByRole('menuitem', { name: 'Change' }).click();
  await dialog(page).getByLabel('Note').fill('claim 4411');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(others.getByText('Insurer · claim 4411')).toBeVisible();
  await others.getByRole('button', { name: 'Actions for Keystone Insurance' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(others.getByText('None yet')).toBeVisible();
});

test('Enter in a name takes the contact that the arrow chose, not another that was found since', async ({
  matterdesk,
  page,
}) => {
  const admin = await matterdesk.register({ role: 'admin' });
  for (const first of ['Ottoline', 'Ottokar'])
    await addContact(matterdesk, admin, {
      name: `${first} Verhoeven`,
      emails: [`${first.toLowerCase()}@verhoeven.example`],
    });
  await matterdesk.signIn(page, admin);
  await page.goto('/dashboard/matters');
  await page.getByRole('button', { name: 'New Case' }).click();
  await fillCase(page, { 'Case Name': 'Verhoeven v. Lund' });
  await dialog(page).getByRole('button', { name: 'Next' }).click();
  const client = dialog(page).getByRole('group', { name: 'Client Info' });
  const options = client.getByRole('option');
  await client.getByLabel('Name').fill('verhoeven');
  await expect(options).toHaveCount(2);
  const [other = ''] = (await options.allTextContents()).slice(1);
  const second = other.includes('Ottokar') ? 'ottokar' : 'ottoline';
  const release = await holdRequests(page, '**/api/v1/contacts?*');
  await client.getByLabel('Name').fill(second);
  await page.keyboard.press('ArrowDown');
  release();
  await expect(options).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(client.getByLabel('Email')).toHaveValue('');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(client.getByLabel('Email')).toHaveValue(`${second}@verhoeven.example`);
});

test('a contact that is being saved takes no more letters, and its field keeps the focus', async ({
  matterdesk,
  page,
}) => {
  await matterdesk.signIn(page, await matterdesk.register({ role: 'admin' }));
  await page.goto('/dashboard/contacts');
  await page.getByRole('button', { name: 'New contact' }).click();
  const name = dialog(page).getByLabel('Name', { exact: true });
  await name.fill(`Ora Lund ${Date.now()}`);
  const sent = await name.inputValue();
  const refused = Promise.withResolvers<void>();
  await page.route('**/api/v1/contacts', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await refused.promise;
    await route.abort();
  });
  await name.press('Enter');
  const save = dialog(page).getByRole('button', { name: 'Add contact' });
  await expect(save).toHaveAttribute('aria-busy', 'true');
  await page.keyboard.type(' Jr.');
  await dialog(page).getByRole('radio', { name: 'Organization' }).click();
  await expect(dialog(page).getByRole('radio', { name: 'Person' })).toBeChecked();
  await expect(name).toHaveValue(sent);
  await expect(name).toBeFocused();
  refused.resolve();
  await expect(save).not.toHaveAttribute('aria-busy', 'true');
  await page.keyboard.type(' Jr.');
  await expect(name).toHaveValue(`${sent} Jr.`);
});
