import { expect } from '@playwright/test';
import { calendarRoutes } from '@matterdesk/contract/calendar.ts';
import { newEvent } from '@matterdesk/server/testing/factories.ts';
import { expectAccessible } from './support/accessibility.ts';
import { test } from './support/connected.ts';
import { openMailbox, toast } from './support/mailbox.ts';
import { dialog } from './support/matters.ts';

const AGENDA = '/dashboard/calender?view=agenda&date=2027-02-01';

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
    const { event: now } = await matterdesk.call(calendarRoutes.readEvent, asked);
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
