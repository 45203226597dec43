import type { NewCase } from '@matterdesk/contract/cases.ts';
import { columnIds, type ColumnId } from '@matterdesk/contract/columns.ts';
import type { Random } from '@matterdesk/server/testing/random.ts';
import * as names from './people.ts';
import { inventPhoneNumber, toAscii } from './people.ts';

export type Colleague = { id: string; firstName: string; lastName: string };

/** A matter before it is stored, when it gets its `caseNo`. */
export type Matter = {
  input: NewCase;
  /** `CV`, `PR` or `MM`, as in the case number. */
  docket: string;
  openedAt: Date;
  /** When it was archived, if so. */
  closedAt: Date | undefined;
  /** Assigned users, the lead first. */
  team: readonly Colleague[];
};

export type Circumstances = {
  now: Date;
  openedAt: Date;
  isActive: boolean;
  colleagues: readonly Colleague[];
};

const LIMITATION_YEARS = { PI: 3, 'Med-Mal': 2.5, Civil: 6 };

/** A client and a dispute. */
export function inventMatter(random: Random, circumstances: Circumstances): Matter {
  const { now, openedAt, isActive, colleagues } = circumstances;
  const type = random.pick(['PI', 'PI', 'Civil', 'Civil', 'Med-Mal'] as const);
  const client = { first: random.pick(names.firstNames), last: random.pick(names.lastNames) };
  const dispute = inventDispute(random, type, client);
  const closedAt = isActive ? undefined : closingDate(random, openedAt, now);
  const lead = random.pickEarly(colleagues);
  const team = [...new Set([lead, ...random.several(colleagues, random.whole(0, 2))])];
  const injuredAt = addDays(openedAt, -random.whole(5, 400));
  const input: NewCase = {
    caseName: dispute.caseName,
    caseNo: '',
    statusType: isActive ? 'Active' : 'Archive',
    status: inventStatus(random, daysBetween(openedAt, closedAt ?? now)),
    judge: random.pick(names.judges),
    dateOfOpening: toDay(openedAt),
    managingAttorney: `${lead.firstName} ${lead.lastName}`,
    DOI: toDay(injuredAt),
    SOL: toDay(limitation(random, { injuredAt, now, isActive, years: LIMITATION_YEARS[type] })),
    daysOpen: closedAt ? daysBetween(openedAt, closedAt) : 0,
    type,
    assignedUsers: team.map((colleague) => colleague.id),
    clientInfo: {
      name: dispute.clientName,
      phoneNumber: inventPhoneNumber(random),
      email: `${toAscii(dispute.clientName.replaceAll(' ', '.'))}@example.com`,
      address: inventAddress(random),
    },
    opposingCounselInfo: inventCounsel(random),
  };
  return { input, docket: dispute.docket, openedAt, closedAt, team };
}

type Client = { first: string; last: string };

function inventDispute(random: Random, type: NewCase['type'], { first, last }: Client) {
  const clientName = `${first} ${last}`;
  if (type === 'Med-Mal')
    return { caseName: `${last} v. ${random.pick(names.hospitals)}`, clientName, docket: 'MM' };
  const kind = random.next();
  if (type === 'PI' || kind < 0.55)
    return { caseName: `${last} v. ${inventAdversary(random)}`, clientName, docket: 'CV' };
  if (kind < 0.8)
    return { caseName: `Estate of ${clientName}`, clientName: inventHeir(random), docket: 'PR' };
  const subject = random.pick(['Trust', 'Family Trust', 'Guardianship', 'Partnership']);
  return { caseName: `In re ${last} ${subject}`, clientName, docket: 'PR' };
}

function inventAdversary(random: Random) {
  return random.isLucky(0.7) ? random.pick(names.companies) : random.pick(names.lastNames);
}

function inventHeir(random: Random) {
  return `${random.pick(names.firstNames)} ${random.pick(names.lastNames)}`;
}

function closingDate(random: Random, openedAt: Date, now: Date) {
  const longest = Math.max(1, daysBetween(openedAt, now));
  return addDays(openedAt, Math.min(longest, random.whole(40, 900)) * random.next() ** 0.3);
}

function inventStatus(random: Random, age: number): NewCase['status'] {
  if (age < 90) return random.isLucky(0.8) ? 'Pre-List' : 'Litigation';
  if (age < 500) return random.isLucky(0.8) ? 'Litigation' : 'ADR';
  return random.isLucky(0.5) ? 'ADR' : 'Litigation';
}

type Limitation = { injuredAt: Date; now: Date; isActive: boolean; years: number };

/** Some active matters are urgent: their complaint is not filed yet. */
function limitation(random: Random, { injuredAt, now, isActive, years }: Limitation): Date {
  if (isActive && random.isLucky(0.06)) return toWorkday(addDays(now, random.whole(2, 88)));
  const regular = addDays(injuredAt, Math.round(years * 365.25));
  const isPast = regular.getTime() < now.getTime();
  return toWorkday(isActive && isPast ? addDays(now, random.whole(30, 1200)) : regular);
}

function inventCounsel(random: Random): NewCase['opposingCounselInfo'] {
  const first = random.pick(names.firstNames);
  const last = random.pick(names.lastNames);
  return {
    organization: random.pick(names.counselFirms),
    name: `${first} ${last}`,
    phoneNumber: inventPhoneNumber(random),
    email: `${toAscii(`${first}.${last}`)}@example.net`,
    address: inventAddress(random),
  };
}

function inventAddress(random: Random) {
  return `${random.whole(1, 980)} ${random.pick(names.streets)}\n${random.pick(names.towns)}`;
}

/** A task of a matter before it is stored. */
export type InventedTask = {
  name: string;
  description: string;
  type: ColumnId;
  startTime: Date;
  endTime: Date;
  createdAt: Date;
  /** When it left intake; undefined if it is still there. */
  movedAt: Date | undefined;
  assignedTo: Colleague;
  createdBy: Colleague;
};

const QUARTER = 15 * 60_000;
/** 8 a.m. in New York, in UTC. */
const OPENS_AT = 13 * 3600_000;

const work: Record<ColumnId, [name: string, description: string][]> = {
  intake: [
    ['Collect police report', 'With the supplement and all photographs'],
    ['Client questionnaire', 'Send by text, two pages'],
    ['Signed retainer', 'Both spouses sign'],
    ['Conflict check', ''],
    ['Open insurance claim', 'Ask for the claim number and the adjuster’s name'],
    ['Call witness', 'Before the weekend, while the memory is fresh'],
  ],
  demandOfInsurance: [
    ['Demand letter to carrier', 'Policy limits demand, 30 days to respond'],
    ['Medical specials to date', 'Bills through last month, with liens'],
    ['Request policy limits', 'Certified mail'],
    ['Wage loss statement', 'From the employer, on letterhead'],
    ['Lien letter to health plan', ''],
  ],
  finalLawsuit: [
    ['Draft complaint', 'Negligence, vicarious liability'],
    ['Serve summons', 'Registered agent first'],
    ['File proof of service', ''],
    ['Review draft complaint', 'Second pair of eyes before it is filed'],
    ['Answer to counterclaim', 'Twenty days from service'],
  ],
  discovery: [
    ['First interrogatories', 'Driver logs, ELD data, maintenance'],
    ['Depose dispatcher', 'Half day'],
    ['Expert disclosure', 'Curriculum vitae, list of cases, fee schedule'],
    ['Call Dr. Sato about records', 'Operative report and imaging'],
    ['Privilege log', ''],
    ['Requests for admission', 'Thirty, on liability only'],
  ],
  adr: [
    ['Mediation brief', 'Ten pages, exhibits tabbed'],
    ['Settlement range memo', 'Best, likely, worst'],
    ['Book mediator', 'Two dates in the next six weeks'],
    ['Prepare client for mediation', 'An hour at the office'],
  ],
};

export function inventTask(random: Random, matter: Matter, now: Date): InventedTask {
  const type = inventColumn(random, matter.input.status);
  const [name, description] = random.pick(work[type]);
  const until = matter.closedAt ?? now;
  const createdAt = atWork(between(random, matter.openedAt, until), matter.openedAt, until);
  const due = matter.closedAt ? createdAt : addDays(now, random.whole(-15, 40));
  const startTime = inOfficeHours(random, due);
  return {
    name,
    description,
    type,
    startTime,
    endTime: toWorkday(addDays(startTime, random.whole(0, 20) + random.pick([1, 2, 4]) / 24)),
    createdAt,
    movedAt:
      type === 'intake' ? undefined : atWork(between(random, createdAt, until), createdAt, until),
    assignedTo: random.pick(matter.team),
    createdBy: random.pick(matter.team),
  };
}

function inventColumn(random: Random, status: Matter['input']['status']): ColumnId {
  const last = { 'Pre-List': 1, Litigation: 3, ADR: 4 }[status];
  return columnIds[random.whole(0, last)] ?? 'intake';
}

function between(random: Random, earlier: Date, later: Date): Date {
  const span = later.getTime() - earlier.getTime();
  return new Date(earlier.getTime() + Math.floor(span * random.next()));
}

/** At a quarter of an hour between 8 a.m. and 5 p.m. of a workday in New York. */
function inOfficeHours(random: Random, day: Date): Date {
  const midnight = Math.floor(toWorkday(day).getTime() / DAY) * DAY;
  return new Date(midnight + OPENS_AT + random.whole(0, 36) * QUARTER);
}

/** Between 8 a.m. and 5 p.m. of the same workday in New York, as far as the limits allow. Keeps the order of instants. */
export function atWork(instant: Date, earliest: Date, latest: Date): Date {
  const workday = toWorkday(instant);
  const midnight = Math.floor(workday.getTime() / DAY) * DAY;
  const share = workday === instant ? (instant.getTime() - midnight) / DAY : 1;
  const time = midnight + OPENS_AT + Math.floor(share * 36) * QUARTER;
  return new Date(Math.min(Math.max(time, earliest.getTime()), latest.getTime()));
}

const YEARS = 8;

/** Outline of a matter before it is generated: opening date, activity, number of tasks. */
export type Slot = { openedAt: Date; isActive: boolean; tasks: number };

export type Extent = { cases: number; tasks: number; archived: number; now: Date };

/**
 * The firm's past eight years, oldest matter first; the tasks add up to exactly `tasks`. Only two numbers of each matter
 * are kept in memory.
 */
export function* layOut(random: Random, { cases, tasks, archived, now }: Extent): Generator<Slot> {
  const share = 1 / (archived + 1);
  const isActive = new Uint8Array(cases);
  const weights = new Float64Array(cases);
  for (let index = 0; index < cases; index += 1) {
    isActive[index] = Number(random.isLucky(chanceOfActive(ageOf(index, cases), share)));
    weights[index] = isActive[index] ? 4 + 8 * random.next() ** 2 : 0.5 + random.next();
  }
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  let weighed = 0;
  for (const [index, weight] of weights.entries()) {
    const before = Math.round((weighed / whole) * tasks);
    weighed += weight;
    yield {
      openedAt: atWork(
        addDays(now, -YEARS * 365 * ageOf(index, cases) ** 1.3 - 0.1),
        addDays(now, -YEARS * 366),
        now,
      ),
      isActive: isActive[index] === 1,
      tasks: Math.round((weighed / whole) * tasks) - before,
    };
  }
}

/** From just below 1, the oldest, to just above 0. */
function ageOf(index: number, cases: number): number {
  return 1 - (index + 0.5) / cases;
}

/** Most new matters are active and few old ones; `share` is the overall rate. */
function chanceOfActive(age: number, share: number): number {
  if (share >= 0.5) return share;
  const recent = 1.5 * share;
  return age < recent ? 0.6 : (0.1 * share) / (1 - recent);
}

const DAY = 24 * 3600_000;

/** That many days later, fractions included. */
function addDays(instant: Date, days: number): Date {
  return new Date(instant.getTime() + days * DAY);
}

/** Whole days between two instants. */
function daysBetween(earlier: Date, later: Date): number {
  return Math.max(0, Math.floor((later.getTime() - earlier.getTime()) / DAY));
}

/** `YYYY-MM-DD` in UTC. */
function toDay(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

/** The same instant, moved back to Friday from a weekend. */
export function toWorkday(instant: Date): Date {
  const weekday = instant.getUTCDay();
  if (weekday === 6) return addDays(instant, -1);
  return weekday === 0 ? addDays(instant, -2) : instant;
}
