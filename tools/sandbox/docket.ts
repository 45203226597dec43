import { calendarRoutes, type NewEvent } from '@matterdesk/contract/calendar.ts';
import type { Case } from '@matterdesk/contract/cases.ts';
import { courtRuleRoutes } from '@matterdesk/contract/court-rules.ts';
import { deadlineRoutes } from '@matterdesk/contract/deadline-routes.ts';
import { proposalRoutes } from '@matterdesk/contract/proposals.ts';
import { deadlines, samples, trialRule, type Sample } from './docket-dates.ts';
import { signInStaff, type Staff } from './firm.ts';

const DAY_MS = 86_400_000;
/** From nine in New York in winter, in UTC. */
const HOURS_FROM_UTC = 5;
const ZONE = 'America/New_York';
/** Weekdays until the trial, and by how much the court moves it. */
const [TRIAL, LATER] = [45, 10];
const TRIAL_MATTER = 8;

type Docket = Staff & { matters: Case[] };

/** Fills the calendar of a new firm: events, deadlines with their chain, and what waits for a second person. */
export async function fillDocket(url: string, matters: Case[]): Promise<void> {
  const docket = { ...(await signInStaff(url)), matters };
  const { as } = docket;
  for (const sample of samples)
    await as(0)(calendarRoutes.addEvent, { body: toEvent(docket, sample) });
  await fillDeadlines(docket);
  await prepareTrial(docket);
  await docket.signOut();
}

/** A day some weekdays from today. */
function weekday(days: number): string {
  const date = new Date();
  const step = Math.sign(days) || 1;
  const isFree = () => date.getUTCDay() % 6 === 0;
  while (isFree()) date.setTime(date.getTime() + step * DAY_MS);
  for (let left = Math.abs(days); left > 0; left -= isFree() ? 0 : 1)
    date.setTime(date.getTime() + step * DAY_MS);
  return date.toISOString().slice(0, 10);
}

function timesOf({ days, hour, minutes }: Pick<Sample, 'days' | 'hour' | 'minutes'>) {
  const day = weekday(days);
  if (hour === null) return { start: day, end: day };
  const start = Date.parse(`${day}T00:00:00.000Z`) + (hour + HOURS_FROM_UTC) * 3_600_000;
  const [from, to] = [new Date(start), new Date(start + minutes * 60_000)];
  return { start: from.toISOString(), end: to.toISOString() };
}

function toEvent({ matters, people }: Docket, sample: Sample): NewEvent {
  const { title, kind, matter, location, recurrence } = sample;
  const attending = sample.people.flatMap((at) => people[at]?.id ?? []);
  return {
    title,
    kind,
    location,
    ...timesOf(sample),
    timeZone: ZONE,
    case: matter === null ? null : (matters[matter]?.id ?? null),
    ...(attending.length > 0 && { people: attending }),
    ...(recurrence && { recurrence }),
  };
}

/** The hard ones wait for the first person: a date to verify, and a move to decide. */
async function fillDeadlines({ as, matters, people }: Docket): Promise<void> {
  for (const { matter, days, owner, ...deadline } of deadlines) {
    const date = weekday(days);
    const second = deadline.hard ? people[0]?.id : null;
    const of = { case: matters[matter]?.id, owner: people[owner]?.id, second };
    const body = { ...deadline, ...of, date };
    const { id } = await as(owner)(deadlineRoutes.addDeadline, { body });
    if (deadline.kind !== 'filing') continue;
    await as(0)(deadlineRoutes.verifyDeadline, { params: { id }, body: { date } });
    const move = {
      action: 'move',
      date: weekday(days + 5),
      reason: 'The court adjourned the return date at the other side’s request',
    };
    await as(owner)(deadlineRoutes.proposeChange, { params: { id }, body: move });
  }
}

/** A trial with what is counted from it; the court has moved it since, which proposes new dates. */
async function prepareTrial(docket: Docket): Promise<void> {
  const { as, matters, people } = docket;
  const matter = matters[TRIAL_MATTER]?.id;
  const { jurisdictions } = await as(0)(courtRuleRoutes.listJurisdictions, {});
  const rule = await as(0)(courtRuleRoutes.addRule, {
    body: trialRule(jurisdictions[0]?.id ?? ''),
  });
  const trial = { title: 'Trial', kind: 'trial' as const, matter: TRIAL_MATTER, location: '' };
  const when = { days: TRIAL, hour: 9, minutes: 480 };
  const { event } = await as(0)(calendarRoutes.addEvent, {
    body: toEvent(docket, { ...trial, ...when, people: [0, 2] }),
  });
  const trigger = { event: event.id };
  const hands = { owner: people[2]?.id, second: people[0]?.id };
  await as(0)(proposalRoutes.applyRule, {
    body: { case: matter, rule: rule.id, trigger, ...hands },
  });
  await as(0)(calendarRoutes.changeEvent, {
    params: { id: event.id },
    body: timesOf({ ...when, days: TRIAL + LATER }),
  });
}
