import { expect } from '@playwright/test';
import { test } from './support/connected.ts';
import { expectAccessible, toast } from './support/expect.ts';
import {
  beacons,
  listen,
  painted,
  connect,
  newReader,
  openMailbox,
  reader,
  row,
} from './support/mailbox.ts';

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

test('a mail shows its people, attachments and quotations', async ({
  matterdesk,
  google,
  page,
}) => {
  const text =
    'Agreed.\n\nOn Friday, Ada wrote:\n> Shall we settle?\n\nSee https://example.com/terms.';
  await openMailbox({ matterdesk, google, page }, [
    {
      subject: 'Settlement',
      text,
      cc: 'Jun Tanaka <jun@elsewhere.example>',
      attachments: [{ filename: 'Größe & co.txt', content: 'nine inches' }],
    },
  ]);
  await expect(row(page, 'Settlement')).toContainText('Unread');
  await expect(row(page, 'Settlement')).toContainText('with attachment');
  await row(page, 'Settlement').click();
  await expect(page).toHaveURL(/mail=/);
  const mail = reader(page);
  await expect(mail.getByRole('heading', { name: 'Settlement' })).toBeFocused();
  await expect(mail).toContainText('Piet Voss voss@elsewhere.example');
  await expect(mail).toContainText('cc Jun Tanaka');
  await expect(mail.getByText('Shall we settle?')).toBeHidden();
  await mail.getByText('Quoted text').click();
  await expect(mail.getByText('Shall we settle?')).toBeVisible();
  const link = mail.getByRole('link', { name: 'https://example.com/terms' });
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer');
  await expect(row(page, 'Settlement')).not.toContainText('Unread');
  await expectAccessible(page);
  const download = page.waitForEvent('download');
  await mail.getByRole('link', { name: /Größe & co\.txt/ }).click();
  expect((await download).suggestedFilename()).toBe('Größe & co.txt');
  await page.reload();
  await expect(reader(page).getByText('Agreed.')).toBeVisible();
  await page.goBack();
  await expect(page.getByText('Select an email to read it')).toBeVisible();
});

test('an HTML mail folds what it quotes, and has the product’s font where it names none', async ({
  matterdesk,
  google,
  page,
}) => {
  const quote =
    '<div class="gmail_quote"><div>On Friday, Ada wrote:</div><blockquote>Shall we settle?</blockquote></div>';
  await openMailbox({ matterdesk, google, page }, [
    { subject: 'Settlement', html: `<p>Agreed.</p>${quote}` },
    {
      subject: 'Fwd: the offer',
      html: '<div class="gmail_quote">---------- Forwarded message ---------<p>The offer.</p></div>',
    },
  ]);
  await row(page, 'Settlement').click();
  const body = reader(page).frameLocator('iframe');
  await expect(body.getByText('Agreed.')).toBeVisible();
  await expect(body.getByText('Shall we settle?')).toBeHidden();
  await expect
    .poll(() => body.locator('body').evaluate(({ ownerDocument: { fonts } }) => fonts.size))
    .toBe(1);
  await body.getByText('Quoted text').click();
  await expect(body.getByText('Shall we settle?')).toBeVisible();
  await row(page, 'Fwd: the offer').click();
  await expect(body.getByText('The offer.')).toBeVisible();
});

test('an HTML mail loads nothing remote until its images are requested', async ({
  matterdesk,
  google,
  browser,
}) => {
  // Its own page, since blocked requests log errors to the console.
  const context = await browser.newContext({ baseURL: matterdesk.url });
  const page = await context.newPage();
  const sender = await listen();
  await openMailbox({ matterdesk, google, page }, [
    { subject: 'Newsletter', html: beacons(sender.url) },
  ]);
  await row(page, 'Newsletter').click();
  const body = reader(page).frameLocator('iframe');
  await expect(body.getByText('A word with you.')).toBeVisible();
  await painted(page);
  await expectAccessible(page);
  expect(sender.asked).toEqual([]);
  await reader(page).getByRole('button', { name: 'Load images' }).click();
  await expect.poll(() => sender.asked).toContain('/image.png');
  expect(await page.evaluate('window.hasRun')).toBeUndefined();
  await context.close();
  await sender.close();
});

test('inline images appear inside the message', async ({ matterdesk, google, page }) => {
  await openMailbox({ matterdesk, google, page }, [
    {
      subject: 'The truck',
      html: '<p>Look:</p><img src="cid:truck@elsewhere" alt="The truck">',
      attachments: [
        { filename: 'truck.png', content: PICTURE, cid: 'truck@elsewhere' },
        { filename: 'notes.txt', content: 'words' },
      ],
    },
  ]);
  await row(page, 'The truck').click();
  const picture = reader(page).frameLocator('iframe').getByRole('img', { name: 'The truck' });
  await expect
    .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBe(1);
  const attachments = reader(page).getByRole('region', { name: 'Attachments' });
  await expect(attachments.getByRole('link')).toHaveCount(1);
  await expect(attachments).toContainText('notes.txt');
});

test('an unreadable mail is closed and reported', async ({ matterdesk, google, page }) => {
  await openMailbox({ matterdesk, google, page }, [{ subject: 'First' }]);
  await page.route('**/mails/readMail/**', (route) => route.abort());
  await row(page, 'First').click();
  const said = toast(page, 'Error in fetching selected email, Please select again');
  await expect(said).toBeVisible();
  await expect(page).not.toHaveURL(/mail=/);
  await page.unroute('**/mails/readMail/**');
  await row(page, 'First').click();
  await expect(reader(page).getByText('Counsel, our client')).toBeVisible();
});

test('a mail becomes an intake in one click', async ({ matterdesk, google, page }) => {
  await openMailbox({ matterdesk, google, page }, [{ subject: 'A truck hit me' }]);
  await row(page, 'A truck hit me').click();
  await reader(page).getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Make intake' }).click();
  const intake = page.getByRole('complementary', { name: 'Intake' });
  await expect(intake.getByText(/Counsel, our client/)).toBeVisible();
  await expect(intake.getByRole('link', { name: /\.eml$/ })).toBeVisible();
  await expectAccessible(page);
  await page.goBack();
  await reader(page).getByRole('link', { name: 'Intake made' }).click();
  await expect(intake.getByText(/Counsel, our client/)).toBeVisible();
});

test('another user’s mail cannot be opened by its URL', async ({
  matterdesk,
  google,
  page,
  browser,
}) => {
  await openMailbox({ matterdesk, google, page }, [{ subject: 'Mine alone' }]);
  await row(page, 'Mine alone').click();
  await expect(reader(page).getByText('Counsel, our client')).toBeVisible();
  const other = await browser.newPage({ baseURL: matterdesk.url });
  const person = await newReader({ matterdesk, page: other });
  await connect({ matterdesk, google }, person);
  await other.goto(page.url());
  const said = toast(other, 'Error in fetching selected email, Please select again');
  await expect(said).toBeVisible();
  await expect(other.getByText('Mine alone')).toBeHidden();
  await expect(other).not.toHaveURL(/mail=/);
  await other.close();
});

test('the mailbox works with the keyboard', async ({ matterdesk, google, page }) => {
  await openMailbox(
    { matterdesk, google, page },
    ['Third', 'Second', 'First'].map((subject) => ({ subject, text: `It says ${subject}.` })),
  );
  await expect(row(page, 'First')).toBeVisible();
  await page.keyboard.press('j');
  await expect(row(page, 'First')).toBeFocused();
  await page.keyboard.press('j');
  await expect(row(page, 'Second')).toBeFocused();
  await page.keyboard.press('k');
  await page.keyboard.press('Enter');
  await expect(reader(page).getByText('It says First.')).toBeVisible();
  await page.keyboard.press('j');
  await expect(reader(page).getByText('It says Second.')).toBeVisible();
  await page.keyboard.press('u');
  await expect(row(page, 'Second')).toBeFocused();
  await expect(page).not.toHaveURL(/mail=/);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(reader(page).getByText('It says Third.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(row(page, 'Third')).toBeFocused();
});

test('the actions of a long mail stay visible, and the next mail starts at its top', async ({
  matterdesk,
  google,
  page,
}) => {
  const text = Array.from({ length: 90 }, (_, at) => `Paragraph ${at + 1}.`).join('\n\n');
  const cc = Array.from({ length: 9 }, (_, at) => `Person ${at + 1} <p${at + 1}@firm.example>`);
  await openMailbox({ matterdesk, google, page }, [
    { subject: 'Second', text, cc },
    { subject: 'First', text },
  ]);
  await row(page, 'First').click();
  const title = reader(page).getByRole('heading');
  await expect(title).toBeFocused();
  await page.keyboard.press('End');
  await expect(title).not.toBeInViewport();
  await expect(reader(page).getByRole('button', { name: 'Reply' })).toBeInViewport();
  await page.keyboard.press('j');
  await expect(title).toHaveText('Second');
  await expect(title).toBeInViewport();
  await expect(reader(page).getByText('Person 9')).toBeHidden();
  await reader(page).getByRole('button', { name: 'and 4 more' }).click();
  await expect(reader(page).getByText('Person 9')).toBeVisible();
});

test('a phone shows the list, then the mail, then the list again @phone', async ({
  matterdesk,
  google,
  page,
}) => {
  await openMailbox({ matterdesk, google, page }, [{ subject: 'On the way' }]);
  await expectAccessible(page);
  await row(page, 'On the way').click();
  await expect(row(page, 'On the way')).toBeHidden();
  await expect(reader(page).getByText('Counsel, our client')).toBeVisible();
  await expectAccessible(page);
  await reader(page).getByRole('button', { name: 'Back to the list' }).click();
  await expect(row(page, 'On the way')).toBeFocused();
  await page.goForward();
  await expect(reader(page).getByText('Counsel, our client')).toBeVisible();
  await page.goBack();
  await expect(row(page, 'On the way')).toBeFocused();
});

test('a mail is archived and trashed with undo, marked as unread, and read in its thread', async ({
  matterdesk,
  google,
  page,
}) => {
  await openMailbox({ matterdesk, google, page }, [
    { subject: 'Keep me' },
    { subject: 'The lease', text: 'Shall we?' },
  ]);
  await row(page, 'The lease').click();
  await reader(page).getByRole('button', { name: 'Archive' }).click();
  await expect(row(page, 'The lease')).toHaveCount(0);
  await expect(row(page, 'Keep me')).toBeFocused();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(row(page, 'The lease')).toBeVisible();
  await row(page, 'The lease').click();
  await expect(reader(page).getByRole('heading', { name: 'The lease' })).toBeFocused();
  await page.keyboard.press('#');
  await expect(row(page, 'The lease')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect(row(page, 'The lease')).toBeVisible();
  await row(page, 'The lease').click();
  await expect(reader(page).getByText('Shall we?')).toBeVisible();
  await reader(page).getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Mark as unread' }).click();
  await expect(row(page, 'The lease')).toContainText('Unread');
});

test('a line has at most 75 characters, and a wide newsletter fits a phone @phone', async ({
  matterdesk,
  google,
  page,
}) => {
  const words = 'The hearing in this matter was moved to the second of March at ten. '.repeat(8);
  const wide =
    '<table width="640"><tr><td width="640"><div style="width:640px;white-space:nowrap">One offer that never ends and never breaks its only line at all, not even here.</div></td></tr></table>';
  await openMailbox({ matterdesk, google, page }, [
    { subject: 'Wide', html: wide },
    { subject: 'As a page', html: `<p>${words}</p>` },
    { subject: 'Plain', text: words },
  ]);
  await page.setViewportSize({ width: 1440, height: 900 });
  await row(page, 'Plain').click();
  const plain = reader(page).getByText(words.trim());
  expect(await plain.evaluate(longestLine)).toBeLessThanOrEqual(75);
  await row(page, 'As a page').click();
  const body = reader(page).frameLocator('iframe');
  expect(await body.locator('p').evaluate(longestLine)).toBeLessThanOrEqual(75);
  await page.setViewportSize({ width: 390, height: 844 });
  await reader(page).getByRole('button', { name: 'Back to the list' }).click();
  await row(page, 'Wide').click();
  await expect(body.getByText('One offer')).toBeVisible();
  const overhang = () =>
    body.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth);
  await expect.poll(overhang).toBe(0);
});

/** Characters in the longest line of an element, as the browser breaks it. */
function longestLine(element: Element): number {
  const text = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
  if (!text) throw new Error('The element has no text');
  const range = element.ownerDocument.createRange();
  const lines = new Map<number, number>();
  for (const at of (text.textContent ?? '').split('').keys()) {
    range.setStart(text, at);
    range.setEnd(text, at + 1);
    const top = Math.round(range.getBoundingClientRect().top);
    lines.set(top, (lines.get(top) ?? 0) + 1);
  }
  return Math.max(...lines.values());
}

test('a key right after a click concerns the mail that was clicked', async ({
  matterdesk,
  google,
  page,
}) => {
  await openMailbox({ matterdesk, google, page }, [{ subject: 'Hearing' }, { subject: 'Lunch' }]);
  await row(page, 'Lunch').click();
  await expect(reader(page).getByRole('heading', { name: 'Lunch' })).toBeVisible();
  await expect(reader(page).getByRole('button', { name: 'Move to the trash' })).toBeVisible();
  // Before the page has drawn anything.
  await row(page, 'Hearing').evaluate((link: HTMLElement) => {
    link.click();
    link.dispatchEvent(new KeyboardEvent('keydown', { key: '#', bubbles: true }));
  });
  await expect(reader(page).getByRole('heading', { name: 'Hearing' })).toBeVisible();
  await expect(row(page, 'Lunch')).toBeVisible();
  await expect(toast(page, 'Moved to the trash')).toBeHidden();
});
