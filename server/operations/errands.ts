import { columnIds, type ColumnId } from '@matterdesk/contract/columns.ts';
import { addDays, DAY } from './days.ts';
import type { Colleague, Matter } from './matters.ts';
import type { Random } from './random.ts';

/** A task of a matter before it is stored. */
export type Errand = {
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

export function inventErrand(random: Random, matter: Matter, now: Date): Errand {
  const type = inventColumn(random, matter.input.status);
  const [name, description] = random.pick(work[type]);
  const until = matter.closedAt ?? now;
  const createdAt = between(random, matter.openedAt, until);
  const due = matter.closedAt ? createdAt : addDays(now, random.whole(-15, 40));
  const startTime = inOfficeHours(random, due);
  return {
    name,
    description,
    type,
    startTime,
    endTime: addDays(startTime, random.whole(0, 20) + random.pick([1, 2, 4]) / 24),
    createdAt,
    movedAt: type === 'intake' ? undefined : between(random, createdAt, until),
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

/** At a quarter of an hour between 8 a.m. and 5 p.m. */
function inOfficeHours(random: Random, day: Date): Date {
  const midnight = Math.floor(day.getTime() / DAY) * DAY;
  return new Date(midnight + random.whole(32, 68) * QUARTER);
}
