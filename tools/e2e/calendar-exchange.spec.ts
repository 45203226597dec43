import { expect } from '@playwright/test';
import { calendarRoutes } from '@matterdesk/contract/calendar.ts';
import { newEvent } from '@matterdesk/server/testing/factories.ts';
import { expectAccessible } from './support/expect.ts';
import { test } from './support/fixtures.ts';
import { dialog } from './support/matters.ts';

const AGENDA = '/dashboard/calender?view=agenda&date=2027-02-01';

test('a feed is made, its address shown once, read without a session, and revoked', async ({
  page,
  matterdesk,
}) => {
  const ada = await matterdesk.register({ firstName: 'Ada', lastName: 'Owusu' });
  const start = new Date(Date.now() + 86_400_000).toISOString();
  const body = newEvent({ title: 'Motion of Jane Doe', start, end: start });
  await matterdesk.call(calendarRoutes.addEvent, { token: ada.token, body });
  await matterdesk.signIn(page, ada);
  await page.goto(AGENDA);
  await page.getByRole('button', { name: 'Other calendars' }).click();
  await page.getByRole('menuitem', { name: 'Subscribe…' }).click();
  await expect(dialog(page).getByText('No feeds yet')).toBeVisible();
  await dialog(page).getByRole('button', { name: 'New feed' }).click();
  await dialog(page).getByLabel('Name').fill('My telephone');
  await expect(dialog(page).getByText('no names, places or notes')).toBeVisible();
  await expectAccessible(page);
  await dialog(page).getByRole('button', { name: 'Create feed' }).click();
  const url = await dialog(page).getByLabel('Link').inputValue();
  const webcal = dialog(page).getByRole('link', { name: 'Open in this computer’s calendar' });
  await expect(webcal).toHaveAttribute('href', url.replace('http:', 'webcal:'));
  const text = await (await fetch(url)).text();
  expect(text).toContain('SUMMARY:Hearing');
  expect(text).not.toContain('Jane Doe');

  await dialog(page).getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Other calendars' }).click();
  await page.getByRole('menuitem', { name: 'Subscribe…' }).click();
  await expect(dialog(page)).toContainText('Ada Owusu · events, deadlines · Kind and case number');
  await expect(dialog(page)).toContainText('last read');
  await dialog(page).getByRole('button', { name: 'Revoke the feed My telephone' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(dialog(page).getByText('No feeds yet')).toBeVisible();
  expect((await fetch(url)).status).toBe(404);
});

function fileOf(...events: string[][]) {
  const lines = events.flatMap((event) => [
    'BEGIN:VEVENT',
    'DTSTAMP:20270101T000000Z',
    ...event,
    'END:VEVENT',
  ]);
  const text = ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n');
  return { name: 'court.ics', mimeType: 'text/calendar', buffer: Buffer.from(text) };
}

test('a file of another calendar is previewed and imported', async ({ page, matterdesk }) => {
  const ada = await matterdesk.register();
  await matterdesk.signIn(page, ada);
  await page.goto(AGENDA);
  await page.getByRole('button', { name: 'Other calendars' }).click();
  await page.getByRole('menuitem', { name: 'Import a file…' }).click();
  const choose = (...events: string[][]) =>
    dialog(page)
      .locator('input[type=file]')
      .setInputFiles(fileOf(...events));
  const conference = [
    'UID:1@court.example',
    'SUMMARY:Status conference',
    'DTSTART:20270203T150000Z',
  ];
  await choose(conference, [
    'UID:2@court.example',
    'SUMMARY:Odd one',
    'DTSTART:20270203T150000Z',
    'DTEND:20270202T150000Z',
  ]);
  await expect(dialog(page)).toContainText('2 read, 1 with problems');
  await expect(dialog(page).getByRole('row', { name: 'Odd one' })).toContainText(
    'It ends before it starts',
  );
  await expect(dialog(page).getByRole('button', { name: /^Import/ })).toBeHidden();
  await choose(conference);
  await expect(dialog(page)).toContainText('1 event: 1 to add');
  await expectAccessible(page);
  await dialog(page).getByLabel('Kind').selectOption('Hearing');
  await dialog(page).getByRole('button', { name: 'Import 1 event' }).click();
  await expect(dialog(page)).toBeHidden();
  const wednesday = page.getByRole('region', { name: 'Wednesday, February 3' });
  await expect(wednesday).toContainText('Status conference');
});
