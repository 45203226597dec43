import type {
  DeclineReason,
  Intake,
  IntakeEntry,
  IntakePatch,
  IntakeRole,
  IntakeStage,
  NewIntake,
} from '@matterdesk/contract/intakes.ts';
import { changedMembers } from '../../core/changed-members.ts';
import { fullName } from '../../core/full-name.ts';
import { formatTime, lengthInWords } from '../../core/words.ts';
import { daysBetween, formatDay, localDay } from '../../ui/days.ts';
import { toLocalInput } from '../../ui/local-input.ts';

export const stageNames: Record<IntakeStage, string> = {
  new: 'New',
  contacted: 'Contacted',
  conflictCheck: 'Conflict check',
  consultScheduled: 'Consultation',
  accepted: 'Accepted',
  declined: 'Declined',
  referred: 'Referred',
};

export const reasonNames: Record<DeclineReason, string> = {
  conflict: 'Conflict of interest',
  scope: 'Not our field',
  merits: 'Merits',
  tooLate: 'Too late',
  capacity: 'No capacity',
  noAnswer: 'No answer',
  duplicate: 'Duplicate',
  other: 'Other',
};

export const roleNames: Record<IntakeRole, string> = {
  client: 'client',
  opposingParty: 'opposing party',
  opposingCounsel: 'opposing counsel',
  coCounsel: 'co-counsel',
  witness: 'witness',
  expert: 'expert',
  insurer: 'insurer',
  provider: 'provider',
  guardian: 'guardian',
  judge: 'judge',
  court: 'court',
  referrer: 'referrer',
  other: 'other',
};

const outcomeNames: Partial<Record<string, string>> = {
  cleared: 'cleared',
  clearedWithConditions: 'cleared with conditions',
  declined: 'declined',
};

const MINUTE = 60_000;
/** Minutes left under which the clock warns. */
const SOON_MINUTES = 40;

export type Clock = {
  tone: 'neutral' | 'amber' | 'red' | 'green';
  words: string;
  /** The share of the time that has passed, 0 to 1; undefined once answered. */
  share?: number;
};

type ResponseTimes = Pick<Intake, 'receivedAt' | 'responseDueAt' | 'firstResponseAt'>;

/** Time to the first response, or the wait so far. */
export function clockOf(intake: ResponseTimes, now: Date): Clock {
  const received = Date.parse(intake.receivedAt);
  const due = Date.parse(intake.responseDueAt);
  if (intake.firstResponseAt !== null) {
    const answered = Date.parse(intake.firstResponseAt);
    const words = `Answered in ${lengthInWords(Math.max(0, Math.floor((answered - received) / MINUTE)))}`;
    return { tone: answered <= due ? 'green' : 'neutral', words };
  }
  // A page's clock goes by the minute, and may be behind what just came.
  const left = Math.ceil((due - Math.max(received, now.getTime())) / MINUTE);
  const share = Math.min(1, Math.max(0, (now.getTime() - received) / Math.max(1, due - received)));
  if (left <= 0) {
    const waited = Math.floor((now.getTime() - received) / MINUTE);
    return { tone: 'red', words: `No answer for ${lengthInWords(waited)}`, share: 1 };
  }
  const words = `${lengthInWords(left)} left to respond`;
  return { tone: left < SOON_MINUTES ? 'amber' : 'neutral', words, share };
}

export type DueLabel = { tone: 'plain' | 'amber' | 'red'; words: string };

/** When the next step is due: '52 min late', '11:21 AM', 'Mon, Nov 23'. */
export function dueInWords(dueAt: string | null, now: Date): DueLabel | null {
  if (dueAt === null) return null;
  const due = new Date(dueAt);
  const minutes = Math.floor((now.getTime() - due.getTime()) / MINUTE);
  if (minutes > 0) return { tone: 'red', words: `${lengthInWords(minutes)} late` };
  const days = daysBetween(localDay(now), localDay(due));
  if (days === 0) return { tone: 'amber', words: formatTime(dueAt) };
  return { tone: 'plain', words: formatDay(localDay(due), 'weekday') };
}

/** '10:21 AM' today, else 'Nov 3, 2026'. */
export function momentOf(instant: string, now: Date): string {
  const day = localDay(new Date(instant));
  return day === localDay(now) ? formatTime(instant) : formatDay(day);
}

/** Only the fields that a form changes, since others may have changed the rest meanwhile. */
export function changesOf(intake: Intake, form: NewIntake): IntakePatch {
  const before: Record<string, unknown> = {
    ...intake,
    description: intake.description ?? '',
    owner: intake.owner?.id,
    nextStep: intake.nextStep ?? '',
    // To the minute, as the inputs show them.
    dueAt: fromLocalInput(toLocalInput(intake.dueAt)),
    consultAt: fromLocalInput(toLocalInput(intake.consultAt)),
  };
  return changedMembers<Record<string, unknown>>(before, form);
}

/** An instant, or null for an empty input. */
export function fromLocalInput(written: string | null): string | null {
  return written ? new Date(written).toISOString() : null;
}

type Reader = { id: string; nameOf: (userId: string) => string };

/** 'You ran a conflict check'. */
export function entryInWords({ by, kind, text }: IntakeEntry, reader: Reader): string {
  const who = by === null ? null : by.id === reader.id ? 'You' : fullName(by);
  const stage = stageNames[text as IntakeStage] ?? '';
  switch (kind) {
    case 'received':
      return who === null ? (text ?? 'Sent the form') : `${who} entered it`;
    case 'note':
      return `${who} noted`;
    case 'call':
      return `${who} logged a call`;
    case 'changed':
      return `${who} changed it`;
    case 'stage':
      return `${who} moved it to ${stage}`;
    case 'owner':
      return `${who} made ${reader.nameOf(text ?? '')} the owner`;
    case 'file':
      return who === null ? `${text} came with the form` : `${who} added ${text}`;
    case 'letter':
      return `${who} drafted a letter`;
    case 'mail':
      return `${who} wrote an email`;
    case 'message':
      return `${who} sent a text`;
    case 'check':
      return text === 'opened' || text === null
        ? `${who ?? 'The server'} ran a conflict check`
        : `${who} concluded the conflict check: ${outcomeNames[text] ?? text}`;
    case 'declined':
      return `${who} declined it: ${reasonNames[text as DeclineReason] ?? ''}`;
    case 'reopened':
      return `${who} reopened it`;
    case 'accepted':
      return `${who} made it a matter`;
  }
}

/** Why an intake cannot become a matter now; null if it can. */
export function acceptObstacleOf({ check }: Intake, canOpen: boolean): string | null {
  if (!canOpen) return 'You cannot open matters';
  const outcome = check?.outcome ?? null;
  if (outcome === null) return 'Finish the check first';
  return outcome === 'declined' ? 'The check found a conflict' : null;
}
