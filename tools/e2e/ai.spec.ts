import { expect, type Locator, type Page } from '@playwright/test';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { newCase } from '@matterdesk/server/testing/factories.ts';
import { settle, train, upload } from '@matterdesk/server/testing/training.ts';
import { test } from './support/connected.ts';
import { expectAccessible, toast } from './support/expect.ts';
import type { Firm } from './support/fixtures.ts';
import { openTab } from './support/matters.ts';

const LEASE = `Residential Lease between Maple Court Holdings LLC and Dana Whitfield

The tenant shall pay a monthly rent of $1,450.00, due on the first day of each month.

The tenant has paid a security deposit of $2,900, which the landlord shall return within thirty days.`;
const POLICY = `Insurance of Northline

The policy issued by Meridian Mutual, number CA-4471902, is limited to one million dollars per occurrence.

The monthly premium of the policy is $310.`;

for (const where of ['', ' @phone'])
  test(`an answer streams in, and its numbers lead to the cited passages${where}`, async ({
    matterdesk,
    model,
    page,
  }) => {
    model.says(
      /How much is the rent/,
      'The monthly rent is $1,450.00 [1][2][3]. The key is under the mat.',
      150,
    );
    await openCase(matterdesk, page);
    const chat = await openChat(page, 'Lease.txt');
    await ask(chat, 'How much is the rent?');
    await expect(chat.getByText('Searching')).toBeVisible();
    await expect(chat.getByRole('button', { name: 'Send' })).toHaveAttribute('aria-busy', 'true');
    await expect(chat.getByText('Writing. Not checked yet.')).toBeVisible();
    await chat.getByRole('button', { name: 'Minimize chat' }).click();
    await chat.getByRole('button', { name: 'Restore chat' }).click();
    await expect(chat.getByText('The key is under the mat.')).toBeVisible();
    await expect(chat.getByText('(no source)')).toBeVisible();
    await expect(chat.getByText('Check this: some sentences have no source')).toBeVisible();
    await expectAccessible(page);
    await chat.getByRole('button', { name: 'Passage 1, Page 1', exact: true }).click();
    const preview = page.getByRole('region', { name: 'Lease.txt' });
    await expect(preview.locator('mark').first()).toContainText('$1,450.00');
  });

test('an empty chat proposes questions, and a wide one leaves no strip of the page', async ({
  matterdesk,
  model,
  page,
}) => {
  model.says(/How much is the rent/, 'The monthly rent is $1,450.00 [1].');
  await openCase(matterdesk, page);
  const chat = await openChat(page, 'Lease.txt');
  const samples = chat.getByRole('list', { name: 'Questions to begin with' });
  await expect(samples.getByRole('button')).toHaveCount(3);
  await chat.getByRole('button', { name: 'Make wider' }).click();
  const view = page.viewportSize();
  await expect(async () => {
    const box = await chat.boundingBox();
    expect([box?.y, box?.height]).toEqual([0, view?.height]);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBe(view?.width);
  }).toPass();
  await expectAccessible(page);
  await samples.getByRole('button', { name: 'How much is the rent?' }).click();
  await expect(chat.getByRole('textbox')).toBeFocused();
  await expect(samples).toBeHidden();
  await expect(chat.getByText('How much is the rent?')).toBeVisible();
  await expect(chat.getByRole('button', { name: /^Passage 1/ }).first()).toBeVisible();
});

test('an answer can be stopped and asked for again', async ({ matterdesk, model, page }) => {
  model.says(/How long is it/, `${'It goes on and on. '.repeat(400)}[1]`, 200);
  await openCase(matterdesk, page);
  const chat = await openChat(page, 'Lease.txt');
  await ask(chat, 'How long is it?');
  await expect(chat.getByText('It goes on')).toBeVisible();
  await chat.getByRole('button', { name: 'Stop' }).click();
  await expect(chat.getByText('It goes on')).toBeHidden();
  await expect(chat.getByRole('textbox')).toBeFocused();
  await chat.getByRole('button', { name: 'Ask again' }).click();
  await expect(chat.getByText('It goes on')).toBeVisible();
  await page.reload();
  await expect(chat.getByRole('button', { name: 'Ask again' })).toBeVisible();
});

test('an interrupted answer, or one that arrives at once, is handled', async ({
  matterdesk,
  page,
}) => {
  await openCase(matterdesk, page);
  const chat = await openChat(page, 'Lease.txt');
  const events = { contentType: 'text/event-stream' };
  const error = { status: 503, code: 'unavailable', message: 'Ask about less, please' };
  const body = `event: error\ndata: ${JSON.stringify(error)}\n\n`;
  await page.route('**/ai/chat', (route) => route.fulfill({ ...events, body }));
  await ask(chat, 'One?');
  await expect(toast(page, 'Ask about less, please')).toBeVisible();
  await page.unroute('**/ai/chat');
  const half = 'event: delta\ndata: {"text":"Half a"}\n\nevent: de';
  await page.route('**/ai/chat', (route) => route.fulfill({ ...events, body: half }));
  await ask(chat, 'Two?');
  await expect(toast(page, 'Something went wrong in sending message.')).toBeVisible();
  await page.unroute('**/ai/chat');
  const refusal = { status: 404, code: 'notReady', message: 'This file is not trained yet' };
  await page.route('**/ai/chat', (route) => route.fulfill({ status: 409, json: refusal }));
  await ask(chat, 'Three?');
  await expect(toast(page, 'This file is not trained yet')).toBeVisible();
  await expect(chat.getByRole('button', { name: 'Ask again' })).toHaveCount(3);
  // The reasons stay once the toasts have left, also after a reload.
  await page.reload();
  for (const reason of [error.message, refusal.message])
    await expect(chat.getByText(reason)).toBeVisible();
});

test('an answer is added to the stream, where its page opens the file at the quotation', async ({
  matterdesk,
  model,
  page,
}) => {
  const limit = 'is limited to one million dollars per occurrence.';
  model.says(/How high is the limit/, 'The policy is limited to one million dollars [1][2][3].');
  await openCase(matterdesk, page);
  await page.getByRole('button', { name: 'Ask this case' }).click();
  const chat = chatOf(page);
  await chat.getByRole('combobox', { name: 'Where to look' }).click();
  await page.getByRole('option', { name: 'Policy.txt' }).click();
  await ask(chat, 'How high is the limit?');
  await chat.getByRole('button', { name: 'Add to stream' }).click();
  const added = chat.getByRole('button', { name: 'Added to stream' });
  await expect(added).toBeDisabled();
  await page.reload();
  await expect(added).toBeDisabled();
  await chat.getByRole('button', { name: 'Close chat' }).click();
  await openTab(page, 'Stream');
  const row = page.getByRole('article').filter({ hasText: 'How high is the limit?' });
  await expect(row).toContainText('You asked How high is the limit?');
  await expect(row).toContainText(limit);
  await expectAccessible(page);
  await row.getByRole('link', { name: 'Policy.txt p. 1' }).click();
  const preview = page.getByRole('region', { name: 'Policy.txt' });
  await expect(preview.locator('mark').first()).toContainText(limit);
  await page.keyboard.press('Escape');
  await expect(row).toBeVisible();
});

test('a question about the case can be limited to a folder or a file', async ({
  matterdesk,
  model,
  page,
}) => {
  model.lacks(/What is due each month/);
  await openCase(matterdesk, page);
  await page.getByRole('button', { name: 'Ask this case' }).click();
  const chat = chatOf(page);
  await ask(chat, 'What is due each month?');
  const named = (name: string) => chat.getByRole('button', { name, exact: true });
  await expect(named('Passage 1, Lease.txt, Page 1')).toBeVisible();
  await chat.getByRole('combobox', { name: 'Where to look' }).click();
  await page.getByRole('option', { name: 'Policy.txt' }).click();
  await ask(chat, 'What is due each month, please?');
  await expect(chat.getByText('in Policy.txt')).toBeVisible();
  await expect(named('Passage 1, Policy.txt, Page 1')).toBeVisible();
  await expectAccessible(page);
  await page.reload();
  await expect(chat.getByRole('combobox', { name: 'Where to look' })).toContainText('Policy.txt');
  await expect(chat.getByText('in Policy.txt')).toBeVisible();
});

test('the chat works with the keyboard, and answers can be copied', async ({
  matterdesk,
  model,
  page,
  context,
}) => {
  model.says(/Who rents/, 'Dana Whitfield is the tenant of Maple Court Holdings LLC [1][2][3].');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openCase(matterdesk, page);
  const chat = await openChat(page, 'Lease.txt');
  const input = chat.getByRole('textbox');
  await input.fill('Who rents');
  await input.press('Shift+Enter');
  await input.pressSequentially('what?');
  await expect(input).toHaveValue('Who rents\nwhat?');
  await input.press('Enter');
  await expect(input).toHaveValue('');
  await chat.getByRole('button', { name: 'Copy with citation' }).click();
  await expect(toast(page, 'Copied with citation')).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^Dana Whitfield is the tenant/);
  expect(copied).toContain('(Leases/Lease.txt, page 1, Line 1)');
  await page.keyboard.press('Escape');
  await expect(chat).toBeHidden();
  await expect(chatButton(page, 'Lease.txt')).toBeFocused();
});

/** A case with two trained files, open in the browser. */
async function openCase(firm: Firm, page: Page) {
  const admin = await firm.register({ role: 'admin' });
  const opened = await firm.call(caseRoutes.openCase, { token: admin.token, body: newCase() });
  const { id: caseId } = opened.case;
  const caller = { url: firm.url, token: admin.token };
  const files = [
    { folder: 'Leases', name: 'Lease.txt', text: LEASE },
    { folder: 'Policies', name: 'Policy.txt', text: POLICY },
  ];
  // The first folder by name is the open one.
  for (const { text, ...file } of files)
    await upload(caller, { caseId, ...file }, Buffer.from(text));
  for (const { folder, name } of files) await train(caller, { caseId, folder, name });
  for (const { folder, name } of files) await settle(caller, { caseId, folder, name });
  await firm.signIn(page, admin);
  await page.goto(`${firm.url}/dashboard/caseDetails/${caseId}`);
  await openTab(page, 'Files');
}

function chatOf(page: Page) {
  return page.getByRole('dialog', { name: 'AI Chat' });
}

async function openChat(page: Page, name: string) {
  await chatButton(page, name).click();
  return chatOf(page);
}

function chatButton(page: Page, name: string) {
  const row = page.getByRole('listitem').filter({ has: page.getByRole('link', { name }) });
  return row.getByRole('button', { name: 'Chat', exact: true });
}

async function ask(chat: Locator, question: string) {
  await chat.getByRole('textbox').fill(question);
  await chat.getByRole('textbox').press('Enter');
}
