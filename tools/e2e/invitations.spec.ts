import { expect } from '@playwright/test';
import { calendarRoutes } from '@matterdesk/contract/calendar.ts';
import { newEvent } from '@matterdesk/server/testing/factories.ts';
import { test } from './support/connected.ts';
import { expectAccessible, toast } from './support/expect.ts';
import { openMailbox, reader, row } from './support/mailbox.ts';
import { dialog } from './support/matters.ts';

const AGENDA = '/dashboard/calender?view=agenda&date=2038-02-01';

test('guests are invited, and sent a change after a question', async ({
  matterdesk,
  google,
  page,
}) => {
  const person = await openMailbox({ matterdesk, google, page });
  const guests = [
    { name: 'Ann Ryan', email: 'ann@client.example' },
    { name: '', email: 'bob@client.example' },
  ];
  const { token } = person;
  const body = newEvent({ title: 'Mediation', guests });
  const { event } = await matterdesk.call(calendarRoutes.addEvent, { token, body });
  const states = async () => {
    const asked = { token, params: { id: event.id } };
    const now = await matterdesk.call(calendarRoutes.readEvent, asked);
    return now.guests.map(({ invited }) => [invited?.sequence, invited?.state]);
  };
  await page.goto(AGENDA);
  await page.getByRole('button', { name: /Mediation/ }).click();
  await expect(dialog(page).getByText('Ann Ryan · not invited')).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Send to 2 guests' }).click();
  await expect(
    dialog(page).getByRole('heading', { name: 'Send the invitation to 2 guests?' }),
  ).toBeVisible();
  await expectAccessible(page);
  await dialog(page).getByLabel('Message').fill('Please bring the file.');
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click();
  await dialog(page).getByRole('button', { name: 'Send', exact: true }).click();
  await expect(toast(page, 'Sent to 2 guests')).toBeVisible();
  expect(await states()).toEqual([
    [0, 'sent'],
    [0, 'sent'],
  ]);

  await page.getByRole('button', { name: /Mediation/ }).click();
  await expect(dialog(page).getByText('Ann Ryan · invited')).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Edit event' }).click();
  await dialog(page).getByLabel('Location').fill('Room 5');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(
    dialog(page).getByRole('heading', { name: 'Send the change to 2 guests?' }),
  ).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Send', exact: true }).click();
  await expect(dialog(page)).toBeHidden();
  expect(await states()).toEqual([
    [1, 'sent'],
    [1, 'sent'],
  ]);
});

test('an invitation in a mail is taken by a click', async ({ matterdesk, google, page }) => {
  const content = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'METHOD:REQUEST',
    'BEGIN:VEVENT',
    'UID:1@court.example',
    'DTSTAMP:20380101T000000Z',
    'ORGANIZER:mailto:voss@elsewhere.example',
    'SUMMARY:Status conference',
    'DTSTART:20380203T150000Z',
    'DTEND:20380203T160000Z',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n');
  const icalEvent = { method: 'REQUEST', content };
  await openMailbox({ matterdesk, google, page }, [{ subject: 'Conference', icalEvent }]);
  await row(page, 'Conference').click();
  const note = reader(page).getByRole('region', { name: 'Invitation' });
  await expect(note).toContainText('Status conference · Wed, Feb 3');
  await expect(note).toContainText('voss@elsewhere.example');
  await note.getByRole('button', { name: 'Add to calendar' }).click();
  await dialog(page).getByLabel('Kind').selectOption('Court date');
  await expectAccessible(page);
  await dialog(page).getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(note.getByRole('button')).toHaveCount(0);
  await note.getByRole('link', { name: 'In the calendar' }).click();
  await expect(page).toHaveURL(/date=2038-02-03/);
  await page.goto(AGENDA);
  await expect(page.getByRole('button', { name: /Status conference/ })).toBeVisible();
});

test('a hearing in the text of a mail is added once a person has checked it', async ({
  matterdesk,
  google,
  page,
}) => {
  const year = new Date().getFullYear() + 1;
  const text = `Counsel,\nthe hearing is set for March 2, ${year} at 9:30 a.m. in Department 4.`;
  await openMailbox({ matterdesk, google, page }, [{ subject: 'Notice of hearing', text }]);
  await row(page, 'Notice of hearing').click();
  const note = reader(page).getByRole('region', { name: 'Date in this email' });
  await expect(note).toContainText(/Hearing · \w+, Mar 2.*9:30 AM/);
  await note.getByRole('button', { name: 'Add to calendar' }).click();
  await expect(dialog(page).getByLabel('Title')).toHaveValue('Notice of hearing');
  await expect(dialog(page).getByLabel('Kind')).toHaveValue('hearing');
  await expect(dialog(page).getByLabel('Start')).toHaveValue(`${year}-03-02T09:30`);
  await expect(dialog(page).getByLabel('End')).toHaveValue(`${year}-03-02T10:30`);
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(dialog(page)).toBeHidden();
  await page.goto(`/dashboard/calender?view=agenda&date=${year}-03-01`);
  await expect(page.getByRole('button', { name: /Notice of hearing/ })).toBeVisible();
});
