import type { NewCase } from '@matterdesk/contract/cases.ts';
import { addDays, daysBetween, toDay, toWorkday } from './days.ts';
import * as names from './names.ts';
import { inventPhoneNumber, toAscii } from './people.ts';
import type { Random } from './random.ts';

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
  const closedAt = isActive ? undefined : closing(random, openedAt, now);
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

function closing(random: Random, openedAt: Date, now: Date) {
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
    email: `${toAscii(last)}@example.net`,
    address: inventAddress(random),
  };
}

function inventAddress(random: Random) {
  return `${random.whole(1, 980)} ${random.pick(names.streets)}\n${random.pick(names.towns)}`;
}
