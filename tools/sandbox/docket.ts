import { calendarRoutes, type NewEvent, type EventKind } from '@matterdesk/contract/calendar.ts';
import type { FiledCase } from '@matterdesk/contract/cases.ts';
import { courtRuleRoutes, type NewRule } from '@matterdesk/contract/court-rules.ts';
import { deadlineRoutes } from '@matterdesk/contract/deadlines.ts';
import { proposalRoutes } from '@matterdesk/contract/proposals.ts';
import { signInStaff, type Staff } from './firm.ts';

const DAY_MS = 86_400_000;
/** From nine in New York in winter, in UTC. */
const HOURS_FROM_UTC = 5;
const ZONE = 'America/New_York';
/** Weekdays until the trial, and by how much the court moves it. */
const [TRIAL, LATER] = [45, 10];
const TRIAL_MATTER = 8;

type Docket = Staff & { matters: FiledCase[] };

/** Fills the calendar of a new firm: events, deadlines with their chain, and what waits for a second person. */
export async function fillDocket(url: string, matters: FiledCase[]): Promise<void> {
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

/** An event of the sample firm: weekdays from today, hours in New York. */
type Sample = {
  title: string;
  kind: EventKind;
  /** A place in the list of matters; null for the firm's own. */
  matter: number | null;
  days: number;
  /** Null for the whole day. */
  hour: number | null;
  minutes: number;
  location: string;
  /** Places in the list of people. */
  people: number[];
  recurrence?: string;
};

const COURT = 'Queens County Supreme Court, Part 22';

type Line = [string, EventKind, number | null, number, number | null, number, string, number[]];

const lines: Line[] = [
  ['Preliminary conference', 'courtDate', 0, 0, 11, 45, COURT, [0, 1]],
  ['Call with the adjuster', 'meeting', 1, 0, 15, 30, '', [0]],
  ['Deposition of the driver', 'deposition', 2, 1, 10, 180, 'Esquire Reporting, Suite 800', [0, 2]],
  ['Client meeting', 'meeting', 3, 1, 14, 60, 'Small conference room', [1]],
  ['Hearing on the motion to compel', 'hearing', 4, 2, 9, 60, COURT, [0]],
  ['Mediation', 'mediation', 5, 3, 10, 240, 'JAMS, 620 Eighth Avenue', [1, 3]],
  ['Deposition of the treating physician', 'deposition', 0, 4, 13, 120, 'By video', [2]],
  ['Inspection of the premises', 'other', 6, 6, 9, 120, '', [3]],
  ['Status conference', 'courtDate', 7, 7, 10, 30, 'By video', [0]],
  ['Hearing on summary judgment', 'hearing', 1, 9, 14, 90, COURT, [0, 1]],
  ['Partners’ retreat', 'other', null, 12, null, 0, 'Beacon', [0, 1]],
  ['Independent medical examination', 'other', 3, 13, 11, 60, 'Dr. Lindgren', [1]],
  ['Pretrial conference', 'courtDate', 8, 16, 9, 60, COURT, [0, 2]],
  ['Mediation', 'mediation', 9, 20, 10, 240, 'NAM, Garden City', [3]],
  ['Deposition of the store manager', 'deposition', 6, -3, 10, 120, 'By video', [3]],
  ['Client meeting', 'meeting', 8, -1, 16, 45, 'Small conference room', [0]],
];
const round: Line = ['Docket round', 'meeting', null, 0, 9, 30, 'Library', [0, 1, 2, 3]];

const samples: Sample[] = [
  { ...toSample(round), recurrence: 'FREQ=WEEKLY;COUNT=26' },
  ...lines.map(toSample),
];

function toSample([title, kind, matter, days, hour, minutes, location, people]: Line): Sample {
  return { title, kind, matter, days, hour, minutes, location, people };
}

type Step = Pick<NewRule['steps'][number], 'title' | 'kind' | 'hard' | 'count' | 'authority'>;

const steps: Step[] = [
  {
    title: 'Pretrial disclosures',
    kind: 'discovery',
    hard: true,
    count: 30,
    authority: 'FRCP 26(a)(3)',
  },
  { title: 'Motions in limine', kind: 'filing', hard: false, count: 21, authority: '' },
  {
    title: 'Objections to disclosures',
    kind: 'response',
    hard: true,
    count: 14,
    authority: 'FRCP 26(a)(3)(B)',
  },
  {
    title: 'Proposed jury instructions',
    kind: 'filing',
    hard: false,
    count: 7,
    authority: 'FRCP 51(a)(1)',
  },
];

/** Deadlines before a trial, for the jurisdiction that ships. */
function trialRule(jurisdiction: string): NewRule {
  return {
    name: 'Before trial',
    jurisdiction,
    trigger: 'Trial',
    steps: steps.map((step) => ({ ...step, unit: 'days', direction: 'before' })),
    reviewed: true,
  };
}

/** Deadlines beside those of the trial; `hard` ones have the first person as second. */
const deadlines = [
  {
    title: 'Answer to the complaint',
    kind: 'response',
    hard: false,
    matter: 3,
    days: -2,
    owner: 0,
  },
  { title: 'Bill of particulars', kind: 'response', hard: false, matter: 1, days: 2, owner: 0 },
  {
    title: 'Responses to interrogatories',
    kind: 'discovery',
    hard: false,
    matter: 5,
    days: 8,
    owner: 1,
  },
  { title: 'Notice of appeal', kind: 'appeal', hard: true, matter: 7, days: 11, owner: 1 },
  {
    title: 'Opposition to summary judgment',
    kind: 'filing',
    hard: true,
    matter: 1,
    days: 5,
    owner: 2,
  },
] as const;
