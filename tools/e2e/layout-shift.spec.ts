import { expect, type Page, type Route } from '@playwright/test';
import { calendarRoutes } from '@matterdesk/contract/calendar.ts';
import { contactRoutes } from '@matterdesk/contract/contacts.ts';
import { deadlineRoutes } from '@matterdesk/contract/deadlines.ts';
import { intakeRoutes } from '@matterdesk/contract/intake-routes.ts';
import { taskRoutes } from '@matterdesk/contract/tasks.ts';
import {
  newContact,
  newDeadline,
  newEvent,
  newTask,
} from '@matterdesk/server/testing/factories.ts';
import { upload } from '@matterdesk/server/testing/training.ts';
import { test } from './support/connected.ts';
import type { Firm, Person } from './support/fixtures.ts';
import { connect, deliver, spareAccount } from './support/mailbox.ts';
import { openCase } from './support/matters.ts';
import { outsider, registerTexter } from './support/texting.ts';

/** Cumulative layout shift of a page, which https://web.dev/articles/cls calls good up to 0.1. */
const windows = [
  { window: 'a wide window', tag: '@desk', most: 0.02 },
  // Wrapped content moves more of a narrow window.
  { window: 'a phone', tag: '@phone', most: 0.1 },
];
const DAY = 86_400_000;

const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString();

type Shift = PerformanceEntry & {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null }[];
};
type Jump = { shift: number; moved: string };

/** Adds up the page's shifts in `data-shift` of its root, and names what moved in `data-moved`. */
async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    let sum = 0;
    const moved = new Set<string>();
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as Shift[]) {
        if (hadRecentInput) continue;
        sum += value;
        for (const { node } of sources)
          if (node) moved.add(`${node.nodeName} ${node.textContent?.slice(0, 40)}`);
      }
      const { dataset } = document.documentElement;
      dataset['shift'] = String(sum);
      dataset['moved'] = [...moved].join(' | ');
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

const untilDrawn = (page: Page) =>
  page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );

/** Every reply arrives in a frame of its own, the newest request's first. */
async function spreadReplies(page: Page): Promise<void> {
  const held: Route[] = [];
  let isReleasing = false;
  const release = async () => {
    isReleasing = true;
    try {
      for (let route = held.pop(); route; route = held.pop()) {
        await untilDrawn(page);
        await route.fulfill({ response: await route.fetch() });
      }
    } finally {
      isReleasing = false;
    }
  };
  await page.route('**/api/v1/**', (route) => {
    held.push(route);
    // A page that was left draws nothing, and needs no replies.
    if (!isReleasing) void release().catch(() => undefined);
  });
}

async function jumpOf(page: Page, path: string): Promise<Jump> {
  await page.goto(`/dashboard/${path}`, { waitUntil: 'networkidle' });
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
  await untilDrawn(page);
  return page.evaluate(() => {
    const { shift, moved } = document.documentElement.dataset;
    return { shift: Number(shift ?? 0), moved: moved ?? '' };
  });
}

async function fillFirm(firm: Firm, person: Person) {
  const { token, id: assignedTo } = person;
  const { id } = await openCase(firm, person, { caseName: 'Calloway v. Abara' });
  for (const name of ['Doe v. Roe', 'Estate of Hollis Brandt', 'Sato v. Northline Freight'])
    await openCase(firm, person, { caseName: name });
  for (const folder of ['Discovery', 'Pleadings', 'Correspondence'])
    await upload(
      { url: firm.url, token },
      { caseId: id, folder, name: `${folder}.txt` },
      Buffer.from('Exhibit 1'),
    );
  const text = Buffer.from('Claim 0471-88213');
  await upload({ url: firm.url, token }, { caseId: '', folder: '', name: 'Letter.txt' }, text);
  const { contact } = await firm.call(contactRoutes.addContact, { token, body: newContact() });
  for (const days of [-9, -1, 0.1, 2, 3, 20, 30]) {
    const times = { startTime: inDays(days - 10), endTime: inDays(days) };
    const body = newTask({ case: id, assignedTo, ...times });
    await firm.call(taskRoutes.addTask, { token, body });
    const date = inDays(days).slice(0, 10);
    const deadline = newDeadline({ owner: assignedTo, case: id, date });
    await firm.call(deadlineRoutes.addDeadline, { token, body: deadline });
    const event = newEvent({ start: inDays(days), end: inDays(days + 0.05) });
    await firm.call(calendarRoutes.addEvent, { token, body: event });
    const intake = { name: 'Denise Okonkwo', phoneNumber: '+1 518 555 0142' };
    await firm.call(intakeRoutes.addIntake, { token, body: intake });
  }
  return { caseId: id, contactId: contact.id };
}

type Filled = Awaited<ReturnType<typeof fillFirm>>;

/** Groups of pages by their paths; each group is a test, so that none takes minutes. */
const groups: Record<string, (filled: Filled) => Record<string, string>> = {
  'of the day': () => ({
    dashboard: '',
    'my tasks': 'tasks?view=mine',
    week: 'calender?view=week',
    month: 'calender?view=month',
    agenda: 'calender?view=agenda',
    deadlines: 'calender?view=deadlines',
    rules: 'calender?view=rules',
    emails: 'emails',
    messages: 'messages',
  }),
  'of the firm': () => ({
    matters: 'matters',
    'to file': 'to-file',
    intakes: 'intakes',
    forms: 'intakes?view=forms',
    contacts: 'contacts',
    conflicts: 'conflicts',
    users: 'users',
    account: 'account',
    firm: 'firm',
    storage: 'storage',
    record: 'record',
  }),
  'of a matter': ({ caseId, contactId }) => ({
    case: `caseDetails/${caseId}`,
    files: `caseDetails/${caseId}?tab=files`,
    tasks: `caseDetails/${caseId}?tab=tasks`,
    dates: `caseDetails/${caseId}?tab=dates`,
    details: `caseDetails/${caseId}?tab=details`,
    board: `tasks?case=${caseId}`,
    contact: `contacts/${contactId}`,
  }),
};
const cases = windows.flatMap((one) =>
  Object.entries(groups).map(([group, pathsOf]) => ({ ...one, group, pathsOf })),
);

for (const { window, tag, most, group, pathsOf } of cases)
  test(
    `pages ${group} in ${window} do not jump while their data arrives`,
    { tag },
    async ({ page, matterdesk, google, twilio }) => {
      const texter = await registerTexter(matterdesk);
      const account = spareAccount();
      await connect({ matterdesk, google }, texter, account);
      for (const subject of ['Tender of defense', 'Notice of hearing'])
        await deliver(google, account, { subject });
      const from = outsider().number;
      await twilio.receive({ to: texter.number, from, body: 'I can come Thursday' });
      const paths = pathsOf(await fillFirm(matterdesk, texter));
      await matterdesk.signIn(page, texter);
      await watchShifts(page);
      await spreadReplies(page);
      const observed = await page.evaluate(() => PerformanceObserver.supportedEntryTypes);
      expect(observed).toContain('layout-shift');
      const jumps: Record<string, Jump> = {};
      for (const [name, path] of Object.entries(paths)) {
        const first = await jumpOf(page, path);
        if (first.shift <= most) continue;
        // News of the firm may come between the replies once, and a page that jumps does so again.
        const second = await jumpOf(page, path);
        if (second.shift > most) jumps[name] = second;
      }
      expect(jumps).toEqual({});
    },
  );
