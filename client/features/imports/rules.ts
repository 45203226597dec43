import {
  type ImportKind,
  importKinds,
  type Import,
  type ImportCounts,
  type ImportOutcome,
  type ImportProfile,
} from '@matterdesk/contract/imports.ts';
import { paths } from '../../core/paths.ts';
import { isSystemFile } from '../../core/system-file.ts';
import { capitalize, counted, formatCount, lengthInWords } from '../../core/words.ts';
import { sizeInWords } from '../../ui/size-in-words.ts';

export const kindLabels: Record<ImportKind, string> = {
  people: 'People',
  contacts: 'Contacts',
  matters: 'Matters',
  parties: 'Parties',
  notes: 'Notes',
  calls: 'Calls',
  tasks: 'Tasks',
  events: 'Events',
  documents: 'Documents',
  mails: 'Email',
};

/** A single record of each kind. */
export const recordLabels: Record<ImportKind, string> = {
  people: 'Person',
  contacts: 'Contact',
  matters: 'Matter',
  parties: 'Party',
  notes: 'Note',
  calls: 'Call',
  tasks: 'Task',
  events: 'Event',
  documents: 'Document',
  mails: 'Email',
};

/** The other system within a sentence. */
const systems: Record<ImportProfile, string> = {
  clio: 'Clio',
  mycase: 'MyCase',
  practicepanther: 'PracticePanther',
  filevine: 'Filevine',
  smokeball: 'Smokeball',
  jlawyer: 'j-lawyer',
  folders: 'your folders',
  spreadsheet: 'your spreadsheet',
  matterdesk: 'Matterdesk',
};

export function systemOf({ profile }: Pick<Import, 'profile'>): string {
  return systems[profile];
}

/** Its name alone, as in a list. */
export function nameOf(of: Pick<Import, 'profile'>): string {
  if (of.profile === 'folders') return 'Folders';
  return of.profile === 'spreadsheet' ? 'Spreadsheet' : systemOf(of);
}

export const steps = ['files', 'columns', 'check', 'move'] as const;
export type Step = (typeof steps)[number];
export const stepLabels: Record<Step, string> = {
  files: 'Files',
  columns: 'Columns',
  check: 'Check',
  move: 'Move in',
};

/** A move that was stopped: the next run goes on from there. */
export function isHalted({ state, dryRun, counts }: Pick<Import, 'state' | 'dryRun' | 'counts'>) {
  return state === 'mapped' && !dryRun && Object.keys(counts).length > 0;
}

/** Whether a run only checks what an undo would leave, or has failed to. */
function isTryingUndo({ dryRun, undoing }: Import): boolean {
  return undoing && dryRun;
}

/** The import without a run that only checks what an undo would leave. */
export function withoutUndoTrial(of: Import): Import {
  if (!isTryingUndo(of)) return of;
  return { ...of, state: 'done', dryRun: false, undoing: false, progress: null, error: null };
}

/** Whether it has written something, so that its columns are fixed. */
export function hasMoved(of: Import): boolean {
  const { state, dryRun, undoing } = of;
  if (state === 'done' || state === 'undone') return true;
  return isHalted(of) || ((state === 'running' || state === 'failed') && (!dryRun || undoing));
}

export function reachedStep(of: Import): Step {
  if (hasMoved(of) || of.state === 'checked') return 'move';
  return of.state === 'running' || of.state === 'failed' ? 'check' : 'columns';
}

/** The step that is shown: the one that was asked for if it can be shown now. */
export function shownStep(asked: string, of: Import): Step {
  const last = reachedStep(of);
  const step = steps.find((one) => one === asked);
  if (step === undefined || steps.indexOf(step) > steps.indexOf(last))
    return of.state === 'checked' ? 'check' : last;
  // The move's numbers took the place of those of the check.
  return step === 'check' && hasMoved(of) ? 'move' : step;
}

export const outcomes = ['new', 'changed', 'same', 'conflicting', 'refused'] as const;
export const outcomeLabels: Record<ImportOutcome, string> = {
  new: 'New',
  changed: 'Changed',
  same: 'Same',
  conflicting: 'Conflicting',
  refused: 'Refused',
};

export type CountsRow = {
  kind: ImportKind;
  counts: ImportCounts;
  /** `found` is null while it is not counted. */
  found: number | null;
  isWaiting: boolean;
  /** Percent, while this kind runs and its total is known. */
  percent: number | null;
};

const none: ImportCounts = { found: 0, new: 0, changed: 0, same: 0, conflicting: 0, refused: 0 };

/** A row for each kind that the files have. */
export function countsRows(of: Import): CountsRow[] {
  const { counts, files, progress, state } = of;
  const isHeld = state === 'failed' || isHalted(of);
  const isRunning = state === 'running' && progress !== null;
  const now = isRunning ? importKinds.indexOf(progress.kind) : importKinds.length;
  return importKinds.flatMap((kind, at): CountsRow[] => {
    const own = counts[kind];
    const isNow = isRunning && progress.kind === kind;
    // A kind that turns out to have nothing would come and go.
    const isKnown = own !== undefined || files.some((file) => file.kind === kind);
    if (!isKnown && !(isNow && (progress.total ?? progress.done) > 0)) return [];
    const isWaiting = isHeld ? own === undefined : isRunning && !of.undoing && at > now;
    const total = isNow && !of.undoing ? progress.total : null;
    return [
      {
        kind,
        counts: own ?? none,
        found: Math.max(total ?? 0, own?.found ?? 0) || (isWaiting ? null : 0),
        isWaiting,
        percent: isNow && progress.total ? percentOf(progress.done, progress.total) : null,
      },
    ];
  });
}

function percentOf(done: number, total: number): number {
  return Math.min(100, Math.floor((done / total) * 100));
}

/** All kinds together. */
export function totalOf(rows: readonly CountsRow[]): ImportCounts {
  const total = { ...none };
  for (const { counts, found } of rows) {
    for (const outcome of outcomes) total[outcome] += counts[outcome];
    total.found += found ?? 0;
  }
  return total;
}

/** 'Checking documents' */
export function workInWords({ dryRun, undoing, progress }: Import): string {
  const act = undoing ? 'Undoing' : dryRun ? 'Checking' : 'Moving in';
  return progress ? `${act} ${kindLabels[progress.kind].toLowerCase()}` : `${act} …`;
}

/** '18,402 of 24,116', or '18,402' while the total is not known. */
export function amountInWords({ progress }: Pick<Import, 'progress'>): string {
  if (!progress) return '';
  const { done, total } = progress;
  if (total === null && done === 0) return '';
  return total === null ? formatCount(done) : `${formatCount(done)} of ${formatCount(total)}`;
}

/** A moment of a kind's progress. */
export type Sample = { kind: ImportKind; done: number; at: number };

/** Milliseconds of progress that a forecast needs. */
const MIN_SAMPLE_MS = 4000;

/** 'about 2 min left' of the kind that runs; empty while no one can say. */
export function timeLeftInWords(
  { progress }: Pick<Import, 'progress'>,
  { from, at }: { from: Sample | null; at: number },
): string {
  if (!progress || !from || progress.total === null) return '';
  const done = progress.done - from.done;
  if (done <= 0 || at - from.at < MIN_SAMPLE_MS) return '';
  const minutes = (((at - from.at) / done) * (progress.total - progress.done)) / 60_000;
  return minutes < 0.5
    ? 'less than a minute left'
    : `about ${lengthInWords(Math.round(minutes))} left`;
}

/** 'Dry run. Nothing is saved yet, and no one is notified.' */
export function summaryOf(of: Import, step: Step): string {
  if (of.state === 'undone') return 'Undone. What the import had made was removed.';
  if (of.state === 'running' && of.undoing)
    return 'Undoing. Everything that the import added is being removed.';
  if (step === 'files') return 'The files that are read.';
  if (step === 'columns')
    return `What ${systemOf(of)} has, and where it goes. Nothing is saved to matters yet.`;
  if (step === 'check') return 'Dry run. Nothing is saved yet, and no one is notified.';
  if (of.state === 'done') return 'Done. No one was emailed, texted or notified.';
  if (isHalted(of)) return 'Stopped. What came in so far stays.';
  if (of.state === 'failed') return 'Not finished. What came in so far stays.';
  if (of.state === 'running') return 'Everyone can go on working. No one is emailed or notified.';
  return 'Nothing is saved yet. No one will be emailed, texted or notified.';
}

/** 'Step 3 of 4 · you can move in once the check is finished' */
export function stepInWords(of: Import, step: Step): string {
  const words = `Step ${steps.indexOf(step) + 1} of ${steps.length}`;
  if (step === 'check' && of.state === 'running')
    return `${words} · you can move in once the check is finished`;
  if (step === 'check' && of.state === 'checked') return `${words} · the check is finished`;
  return words;
}

type Effect = { sign: 'new' | 'same' | 'refused' | 'note' | 'person'; text: string };

/** Columns that no field takes, of kinds whose cells go into notes. */
type MissingTargets = { hasMatters: boolean; hasContacts: boolean };

/** Sentences about what the move does, or has done, from its counts. */
export function effectsOf(of: Import, { hasMatters, hasContacts }: MissingTargets): Effect[] {
  const total = totalOf(countsRows(of));
  const isDone = of.state === 'done';
  const isRunning = of.state === 'running';
  const system = systemOf(of);
  const effects: Effect[] = [
    { sign: 'new', text: additionsInWords(total, { system, isDone, isRunning }) },
  ];
  if (total.conflicting > 0) {
    const records = counted(total.conflicting, 'conflicting record');
    const one = total.conflicting === 1 ? 'it is' : 'they are';
    effects.push({
      sign: 'same',
      text: `${isDone ? 'Left' : 'Leave'} the ${records} as ${one} here. The report lists both values.`,
    });
  }
  if (total.refused > 0)
    effects.push({
      sign: 'refused',
      text: `${isDone ? 'Left' : 'Leave'} out the ${counted(total.refused, 'refused row')}. The report says why.`,
    });
  if (hasMatters || hasContacts)
    effects.push({ sign: 'note', text: notesInWords(of, { hasMatters, hasContacts }) });
  const left = Object.values(of.tables.people).filter((ours) => ours === null).length;
  // They come with the first record that names them.
  if (left > 0 && (isRunning || total.new + total.changed > 0))
    effects.push({
      sign: 'person',
      text: `${isDone ? 'Brought' : 'Bring'} in ${counted(left, 'person', 'people')} who ${left === 1 ? 'has' : 'have'} left as ${left === 1 ? 'an inactive user' : 'inactive users'} who can’t sign in.`,
    });
  return effects;
}

function additionsInWords(
  total: ImportCounts,
  { system, isDone, isRunning }: { system: string; isDone: boolean; isRunning: boolean },
): string {
  const parts = [
    // Whether there is anything new is known at the end of a run.
    ...(total.new > 0 || isRunning
      ? [isDone ? `added ${counted(total.new, 'record')}` : 'add everything new']
      : []),
    ...(total.changed > 0
      ? [
          `${isDone ? 'updated' : 'update'} the ${counted(total.changed, 'record')} that changed only in ${system}`,
        ]
      : []),
  ];
  if (parts.length === 0) {
    const isAllHere = total.conflicting + total.refused === 0;
    if (isDone)
      return `Added nothing: ${isAllHere ? 'everything was here already' : 'nothing was new'}.`;
    return `Add nothing: ${isAllHere ? 'everything is here already' : 'nothing is new'}.`;
  }
  return `${capitalize(parts.join(', and '))}.`;
}

function notesInWords(of: Import, { hasMatters, hasContacts }: MissingTargets): string {
  const verb = of.state === 'done' ? 'Kept' : 'Keep';
  if (!hasMatters) return `${verb} unmatched columns in the notes of each contact.`;
  const contacts = hasContacts ? ', and those of contacts in their notes' : '';
  return `${verb} unmatched columns in one pinned note per matter, “${noteName(of)}”${contacts}.`;
}

/** 'From Clio' */
export function noteName(of: Pick<Import, 'profile'>): string {
  return `From ${systemOf(of)}`;
}

/** The outcome as a line of the list: '69,817 new, 6 conflicting, 14 refused'. */
export function outcomeInWords(of: Import): string {
  const total = totalOf(countsRows(of));
  const words = outcomes
    .filter((outcome) => total[outcome] > 0)
    .map((outcome) => `${formatCount(total[outcome])} ${outcome}`);
  return words.join(', ');
}

/** 'Checked', 'Moving in documents …', as a word with its tone. */
export function stateInWords(of: Import): string {
  if (of.state === 'running') return workInWords(of);
  if (of.state === 'failed') return of.dryRun ? 'Check failed' : 'Failed';
  if (isHalted(of)) return 'Stopped';
  const words = {
    read: 'Columns to map',
    mapped: 'Ready to check',
    checked: 'Checked, not moved in',
    done: 'Moved in',
    undone: 'Undone',
  };
  return words[of.state];
}

/** '3 files', with the name of a single one. */
export function filesInWords({ files, fileCount }: Pick<Import, 'files' | 'fileCount'>): string {
  const [first] = files;
  return fileCount === 1 && first ? first.path : counted(fileCount, 'file');
}

/** The end of a run between two answers, for screen readers; null if none ended. */
export function endInWords(before: Import | null, after: Import): string | null {
  if (before?.state !== 'running' || after.state === 'running' || isTryingUndo(before)) return null;
  if (after.state === 'failed') return after.error ?? 'It failed';
  if (after.state === 'undone') return 'The import is undone';
  if (after.state === 'done') return 'Everything is moved in';
  return after.state === 'checked' ? 'The check is finished' : 'Stopped';
}

const firm = { to: paths.firm, label: 'Firm' };
/** Breadcrumbs of the list of imports, and of what is below it. */
export const placesOfList = [firm, { label: 'Move in' }];
export const placesBelow = [firm, { to: paths.imports, label: 'Move in' }];

/** 'Move in' with the choice of a system. */
export const NEW_IMPORT = `${paths.imports}?new`;

/** State of the history of an import that was just added: the button that had the focus has left. */
export const ADDED = 'added';

/** @param step files, columns, check or move; by default the one that is reached */
export function addressOf(id: string, step?: Step): string {
  const address = `${paths.imports}/${encodeURIComponent(id)}`;
  return step === undefined ? address : `${address}?step=${step}`;
}

/** The address of the report; the session cookie opens it. */
export function reportUrl(id: string): string {
  return `/api/v1/imports/${encodeURIComponent(id)}/report.csv`;
}

/** Files that one upload has at most; the contract's. */
export const MAX_FILES = 100;

/** A chosen file by its path in the folder that it was chosen with. */
export function pathOf({ name, webkitRelativePath }: Pick<File, 'name' | 'webkitRelativePath'>) {
  return webkitRelativePath || name;
}

/** Files of a chosen folder that systems did not leave there. */
export function withoutSystemFiles(files: readonly File[]): File[] {
  return files.filter((file) => !pathOf(file).split('/').some(isSystemFile));
}

/** With more files; those of a path that is there already replace it. */
export function withFiles(before: readonly File[], more: readonly File[]): File[] {
  const paths = new Set(more.map(pathOf));
  return [...before.filter((file) => !paths.has(pathOf(file))), ...more];
}

/** '3 files · 1.2 MB' */
export function amountOf(files: readonly Pick<File, 'size'>[]): string {
  return `${counted(files.length, 'file')} · ${sizeInWords(sumOf(files))}`;
}

function sumOf(files: readonly Pick<File, 'size'>[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

/** Shares of each file that are sent, 0 to 1: files go one after another. */
export function sharesOf(files: readonly Pick<File, 'size'>[], share: number): number[] {
  let sent = share * sumOf(files);
  return files.map(({ size }) => {
    const own = size === 0 ? Number(share > 0) : Math.min(1, Math.max(0, sent / size));
    sent -= size;
    return own;
  });
}
