import type { Activity, Case, CasePatch, NewCase } from '@matterdesk/contract/cases.ts';
import { columnTitles, type ColumnId } from '@matterdesk/contract/columns.ts';
import { type CaseSol, solInEffect } from '@matterdesk/contract/sol-in-effect.ts';
import { changedMembers } from '../../core/changed-members.ts';
import { fullName } from '../../core/full-name.ts';
import { deciderOf, proposalOf } from '../../core/waiting-date.ts';
import { capitalize, distanceInWords, formatCount, humanize, plural } from '../../core/words.ts';
import { daysBetween, formatDay } from '../../ui/days.ts';

/** Days below which a statute of limitations is mentioned. */
const SOON_DAYS = 90;

export type Limitation = { words: string; tone: 'amber' | 'red' };

/** The days left of a statute of limitations when it is near; undefined for archived cases. */
export function limitationOf(
  matter: CaseSol & Pick<Case, 'statusType'>,
  today: string,
): Limitation | undefined {
  const day = solInEffect(matter);
  if (matter.statusType === 'Archive' || day === null) return undefined;
  const days = daysBetween(today, day);
  if (days >= SOON_DAYS) return undefined;
  return { words: distanceInWords(days), tone: days < 0 ? 'red' : 'amber' };
}

/** Consequences of saving another SOL; unchanged, the change that waits for someone. */
export function remarkOnChange(matter: CaseSol, sol: string, isAlone: boolean): string | undefined {
  const inEffect = solInEffect(matter);
  if (sol === inEffect) {
    const proposal = proposalOf(matter);
    return proposal && capitalize(`${proposal}; ${deciderOf(matter)}`);
  }
  if (sol === '' || inEffect === null) return undefined;
  const person = isAlone ? 'you verify it under Deadlines' : 'a second person decides';
  return sol > inEffect
    ? `${formatDay(inEffect)} stays in effect until ${person}`
    : `In effect at once; then ${person}`;
}

/** '148 open matters · 6 with a statute of limitations in the next 90 days'. */
export function mattersInWords(open: number, limitations: number): string {
  const matters = `${open === 0 ? 'No' : formatCount(open)} open ${plural(open, 'matter')}`;
  if (open === 0) return matters;
  const soon = limitations === 0 ? 'none' : formatCount(limitations);
  return `${matters} · ${soon} with a statute of limitations in the next 90 days`;
}

const CLIENT = 'clientInfo.';
const COUNSEL = 'opposingCounselInfo.';
/** The fields of the opposing counsel. */
const WHOLE_COUNSEL = 5;

/** 'Case No, SOL, Client Email, Opposing Counsel'. */
export function missingInWords(incomplete: readonly string[]): string {
  const ofCounsel = incomplete.filter((path) => path.startsWith(COUNSEL));
  const others = incomplete.filter((path) => !path.startsWith(COUNSEL));
  const words = others.map((path) => humanize(path.replace(CLIENT, 'client.')));
  if (ofCounsel.length === WHOLE_COUNSEL) return [...words, 'Opposing Counsel'].join(', ');
  const counsel = ofCounsel.map((path) => humanize(path.replace(COUNSEL, 'opposingCounsel.')));
  return [...words, ...counsel].join(', ');
}

/** The days since a case was opened, as the form proposes them; 0 for a future date. */
export function proposedDaysOpen(dateOfOpening: string, today: string): number {
  return Math.max(0, daysBetween(dateOfOpening, today));
}

/** Only the changed fields of a case, since other users may have changed the rest. */
export function changesOf(before: NewCase, after: NewCase): CasePatch {
  const { clientInfo, opposingCounselInfo, ...own } = after;
  const patch: CasePatch = changedMembers(before, own);
  const client = changedMembers(before.clientInfo, clientInfo);
  const counsel = changedMembers(before.opposingCounselInfo, opposingCounselInfo);
  if (Object.keys(client).length > 0) patch.clientInfo = client;
  if (Object.keys(counsel).length > 0) patch.opposingCounselInfo = counsel;
  return patch;
}

/** The first rows of a CSV text (RFC 4180) including the header, without blank rows. */
export function readCsvHead(text: string, rows: number, delimiter = ','): string[][] {
  const found: string[][] = [];
  let row: string[] = [];
  const cell = new RegExp(
    `(?:"([^"]*(?:""[^"]*)*)"|([^"${delimiter}\\r\\n]*))(${delimiter}|\\r?\\n|$)`,
    'y',
  );
  cell.lastIndex = text.startsWith('\uFEFF') ? 1 : 0;
  while (found.length < rows) {
    const match = cell.exec(text);
    if (!match) break;
    row.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === delimiter) continue;
    if (row.some((value) => value !== '')) found.push(row);
    row = [];
    if (match[3] === '') break;
  }
  return found;
}

/** An activity in words: `who` did `what` to `name`, and the `rest`. */
export type ActivityWords = { who: string; what: string; name: string; rest: string };

export function activityInWords(activity: Activity): ActivityWords {
  const { actor, action, entity, name, detail, changes } = activity;
  const labels = changes.map(({ label }) => label);
  const who = actor ? fullName(actor) : 'Someone';
  if (entity === 'task') return { who, ...taskInWords(activity, labels) };
  if (action === 'trainingFailed')
    return { who: 'Training', what: 'failed for', name, rest: detail[0] ? `(${detail[0]})` : '' };
  if (entity === 'file' || entity === 'folder')
    return { who, what: newVersion(activity) ?? fileVerbs[action] ?? 'added', name, rest: '' };
  if (action !== 'updated')
    return { who, what: caseVerbs[action] ?? 'changed', name: '', rest: 'this case' };
  const members = listInWords(labels);
  return { who, what: 'changed', name: members, rest: members === '' ? 'this case' : '' };
}

/** Undefined where the content of a file stayed. */
function newVersion({ action, changes }: Activity): string | undefined {
  const toOf = (field: string) => changes.find((change) => change.field === field)?.to;
  const version = toOf('version');
  if (action !== 'updated' || !version) return undefined;
  const restored = toOf('restoredFrom');
  return restored ? `restored version ${restored} of` : `uploaded version ${version} of`;
}

const fileVerbs: Partial<Record<Activity['action'], string>> = {
  deleted: 'deleted',
  moved: 'moved',
  restored: 'restored',
  updated: 'renamed',
  trained: 'trained the AI on',
};

const caseVerbs: Partial<Record<Activity['action'], string>> = {
  created: 'opened',
  imported: 'imported',
  archived: 'archived',
  reopened: 'reopened',
};

function taskInWords({ action, name, detail }: Activity, labels: string[]) {
  if (action === 'moved') {
    const column = columnTitles[detail[0] as ColumnId] ?? 'another column';
    return { what: 'moved', name, rest: `to ${column}` };
  }
  if (action === 'updated') return { what: 'changed', name, rest: inBrackets(labels) };
  return { what: taskVerbs[action] ?? 'added', name, rest: '' };
}

const taskVerbs: Partial<Record<Activity['action'], string>> = {
  deleted: 'deleted',
  completed: 'completed',
  reopened: 'reopened',
};

function inBrackets(labels: string[]) {
  const members = listInWords(labels.map((label) => label.toLowerCase()));
  return members === '' ? '' : `(${members})`;
}

/** 'SOL', 'SOL and Judge', 'SOL, Judge and 2 more'. */
function listInWords(words: string[]): string {
  const [first, second, ...others] = words;
  if (first === undefined || second === undefined) return first ?? '';
  return others.length === 0
    ? `${first} and ${second}`
    : `${first}, ${second} and ${others.length} more`;
}
