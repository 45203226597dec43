import { expect, type Page } from '@playwright/test';
import { calendarRoutes, type NewEvent } from '@matterdesk/contract/calendar.ts';
import { newEvent } from '@matterdesk/server/testing/factories.ts';
import { openConnected } from './support/connection.ts';
import { expectAccessible } from './support/expect.ts';
import { type Firm, type Person, test } from './support/fixtures.ts';
import { dialog, openCase } from './support/matters.ts';

const ADDRESS = '/dashboard/calender?view=agenda&date=2038-02-01';
const timeZone = 'America/New_York';

async function addEvent(firm: Firm, { token }: Person, own: Partial<NewEvent>) {
  const body = newEvent({ timeZone, ...own });
  return (await firm.call(calendarRoutes.addEvent, { token, body })).event;
}

function day(page: Page, name: string) {
  return page.getByRole('region', { name });
}

test('an event is added, shown in another browser at once, changed and canceled', async ({
  page,
  browser,
  matterdesk,
}) => {
  const ada = await matterdesk.register({ firstName: 'Ada', lastName: 'Owusu' });
  await matterdesk.signIn(page, ada);
  const colleague = await browser
    .newContext({ baseURL: matterdesk.url })
    .then((it) => it.newPage());
  await matterdesk.signIn(colleague, await matterdesk.register());
  // Tests share their firm.
  const address = `${ADDRESS}&people=${ada.id}`;
  await openConnected(colleague, address);
  await page.goto(address);
  await expect(page.getByText('Nothing on these days')).toBeVisible();

  await page.keyboard.press('n');
  await dialog(page).getByLabel('Title').fill('Motion to compel');
  await dialog(page).getByLabel('Kind').selectOption('Hearing');
  await dialog(page).getByLabel('Start').fill('2038-02-03T09:30');
  await dialog(page).getByLabel('End').fill('2038-02-03T09:00');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(dialog(page).getByText('End must not be before start')).toBeVisible();
  await dialog(page).getByLabel('End').fill('2038-02-03T11:00');
  await dialog(page).getByRole('button', { name: 'Save' }).click();

  const wednesday = day(page, 'Wednesday, February 3');
  await expect(wednesday.getByRole('button')).toContainText('9:30 AM1 h 30 minMotion to compel');
  await expect(day(colleague, 'Wednesday, February 3')).toContainText('Motion to compel');
  await colleague.getByRole('searchbox').fill('no such event');
  await expect(colleague.getByText('Nothing on these days matches “no such event”.')).toBeVisible();
  await colleague.getByRole('main').getByRole('button', { name: 'Clear search' }).last().click();
  await expect(colleague.getByRole('searchbox')).toHaveValue('');
  await expect(day(colleague, 'Wednesday, February 3')).toContainText('Motion to compel');

  const entry = wednesday.getByRole('button', { name: 'Motion to compel' });
  await entry.click();
  await expect(dialog(page)).toContainText('Wed, Feb 3, 9:30 AM – 11:00 AM');
  await page.goBack();
  await expect(dialog(page)).toBeHidden();
  await entry.click();
  await dialog(page).getByRole('button', { name: 'Edit event' }).click();
  await dialog(page).getByLabel('Location').fill('Courtroom 402');
  await dialog(page).getByRole('button', { name: 'Cancel event' }).click();
  await expect(wednesday).toContainText('Canceled · Ada Owusu');
  await day(colleague, 'Wednesday, February 3').getByRole('button').click();
  await expect(dialog(colleague)).toContainText('Canceled');
  await expect(dialog(colleague).getByRole('button', { name: 'Edit event' })).toBeHidden();
});

test('a series changes as a whole', async ({ page, matterdesk }) => {
  const ada = await matterdesk.register();
  const times = { start: '2038-03-01T14:00:00.000Z', end: '2038-03-01T14:30:00.000Z' };
  const recurrence = 'FREQ=WEEKLY;BYDAY=MO;COUNT=3';
  await addEvent(matterdesk, ada, { title: 'Docket call', ...times, recurrence });
  await matterdesk.signIn(page, ada);
  await page.goto('/dashboard/calender?view=agenda&date=2038-03-01');
  // Summer time begins between them.
  const second = day(page, 'Monday, March 8').getByRole('button', { name: 'Docket call' });
  await expect(day(page, 'Monday, March 15')).toContainText('9:00 AM30 minDocket call');
  await second.click();
  await dialog(page).getByRole('button', { name: 'Edit event' }).click();
  await dialog(page).getByLabel('All events').check();
  await dialog(page).getByLabel('Title').fill('Docket review');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name: 'Docket review' })).toHaveCount(3);
});

test('the calendar opens on its reader, and its filters are in the address', async ({
  page,
  matterdesk,
}) => {
  const [ada, ben] = [
    await matterdesk.register({ role: 'admin' }),
    await matterdesk.register({ firstName: 'Ben', lastName: 'Brandt' }),
  ];
  const matter = await openCase(matterdesk, ada, { caseName: 'Abara v. Northline' });
  const on = (date: string) => ({ start: date, end: date });
  await addEvent(matterdesk, ada, { title: 'Trial', ...on('2038-05-04'), case: matter.id });
  const meeting = { title: 'Partners', kind: 'meeting' as const, people: [ben.id] };
  await addEvent(matterdesk, ben, { ...meeting, ...on('2038-05-05') });
  await matterdesk.signIn(page, ada);
  await page.goto('/dashboard/calender?view=agenda&date=2038-05-01');
  const person = page.getByLabel('Person');
  const trial = page.getByRole('button', { name: 'Trial' });
  const partners = page.getByRole('button', { name: 'Partners' });
  await expect(trial).toBeVisible();
  await expect(person).toHaveValue(ada.id);
  await expect(partners).toBeHidden();
  await person.selectOption('Everyone');
  await expect(partners).toBeVisible();
  await page.getByRole('button', { name: 'Court', exact: true }).click();
  await expect(partners).toBeVisible();
  await expect(trial).toBeHidden();
  await expect(page).toHaveURL(/hide=court/);
  await page.getByRole('button', { name: 'Court', exact: true }).click();
  await expect(trial).toBeVisible();
  await person.selectOption('Ben Brandt');
  await expect(trial).toBeHidden();
  await page.reload();
  await expect(partners).toBeVisible();
  await expect(trial).toBeHidden();
});

const themes = [
  ['light', ''],
  ['dark', ''],
  ['light', ' @phone'],
] as const;
for (const [colorScheme, where] of themes)
  test(`the calendar is accessible, ${colorScheme}${where}`, async ({ page, matterdesk }) => {
    await page.emulateMedia({ colorScheme });
    const ada = await matterdesk.register();
    await addEvent(matterdesk, ada, { title: 'Deposition of T. Gage', kind: 'deposition' });
    await addEvent(matterdesk, ada, { title: 'Hearing', location: 'Courtroom 402' });
    await matterdesk.signIn(page, ada);
    await page.goto(ADDRESS);
    await page.getByRole('button', { name: 'Hearing' }).first().waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'New event' }).click();
    const zones = dialog(page).getByLabel('Time zone');
    await expect(zones.locator(`[value="${timeZone}"]`)).toHaveText('America/New York');
    await expectAccessible(page, '[role=dialog]');
  });

const AGENDA = '/dashboard/calender?view=agenda&date=2038-02-01';

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
    'DTSTAMP:20380101T000000Z',
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
    'DTSTART:20380203T150000Z',
  ];
  await choose(conference, [
    'UID:2@court.example',
    'SUMMARY:Odd one',
    'DTSTART:20380203T150000Z',
    'DTEND:20380202T150000Z',
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

test('an open event shows what someone else changes, and its form says so before it is saved', async ({
  page,
  matterdesk,
}) => {
  const ada = await matterdesk.register({ firstName: 'Ada', lastName: 'Stone' });
  const made = await addEvent(matterdesk, ada, {
    title: 'Status conference',
    start: '2038-02-03T14:30:00Z',
    end: '2038-02-03T15:30:00Z',
    location: 'Part 22',
  });
  const change = (body: Partial<NewEvent>) =>
    matterdesk.call(calendarRoutes.changeEvent, {
      token: ada.token,
      params: { id: made.id },
      body,
    });
  await matterdesk.signIn(page, ada);
  await openConnected(page, `${ADDRESS}&event=${made.id}`);
  await expect(dialog(page)).toContainText('Part 22');
  await change({ location: 'Part 40' });
  await expect(dialog(page)).toContainText('Part 40');
  await dialog(page).getByRole('button', { name: 'Edit event' }).click();
  await dialog(page).getByLabel('Notes').fill('Bring the exhibits');
  await dialog(page).getByLabel('Location').fill('Part 55');
  await change({ location: 'Part 41', title: 'Status conference, moved' });
  await expect(
    dialog(page).getByText('Someone else changed this to “Part 41” meanwhile.'),
  ).toBeVisible();
  await expect(dialog(page).getByLabel('Title')).toHaveValue('Status conference, moved');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(dialog(page)).toBeHidden();
  const { token } = ada;
  expect(
    await matterdesk.call(calendarRoutes.readEvent, { token, params: { id: made.id } }),
  ).toMatchObject({
    title: 'Status conference, moved',
    location: 'Part 55',
    notes: 'Bring the exhibits',
  });
});
