import type { EventKind } from '@matterdesk/contract/calendar.ts';
import type { NewRule } from '@matterdesk/contract/court-rules.ts';

/** An event of the sample firm: weekdays from today, hours in New York. */
export type Sample = {
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

export const samples: Sample[] = [
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

/** What the days before a trial hold, for the jurisdiction that ships. */
export function trialRule(jurisdiction: string): NewRule {
  return {
    name: 'Before trial',
    jurisdiction,
    trigger: 'Trial',
    steps: steps.map((step) => ({ ...step, unit: 'days', direction: 'before' })),
    reviewed: true,
  };
}

/** Deadlines beside those of the trial; `hard` ones have the first person as second. */
export const deadlines = [
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
