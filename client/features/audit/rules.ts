import type { Entry } from '@matterdesk/contract/audit.ts';
import { sizeInWords } from '../../ui/size-in-words.ts';
import { counted, humanize } from '../../core/words.ts';

const ENTITIES: Record<string, string> = {
  user: 'User',
  session: 'Session',
  invitation: 'Invitation',
  case: 'Matter',
  access: 'Access',
  task: 'Task',
  folder: 'Folder',
  file: 'File',
  googleGrant: 'Google account',
  mail: 'Email',
  text: 'Text',
  phoneNumber: 'Number',
  list: 'List',
  firm: 'Settings',
  request: 'Request',
  trash: 'Trash',
};
export const entityOptions = optionsOf(ENTITIES);

const ACTIONS: Record<string, string> = {
  signedIn: 'Signed in',
  ended: 'Signed out',
  signInFailed: 'Sign-in failed',
  signInSlowed: 'Sign-in slowed',
  refused: 'Refused',
  downloaded: 'Downloaded',
  previewed: 'Previewed',
  exported: 'Exported',
  mailRead: 'Email read',
  created: 'Created',
  updated: 'Changed',
  archived: 'Archived',
  reopened: 'Reopened',
  moved: 'Moved',
  deleted: 'Deleted',
  restored: 'Restored',
  imported: 'Imported',
  trained: 'Trained',
  trainingFailed: 'Training failed',
  settingsChanged: 'Settings changed',
  totpAdded: 'Authenticator app turned on',
  totpRemoved: 'Authenticator app turned off',
  secondFactorRemoved: 'Second factor removed',
  passkeysRemoved: 'Passkeys removed',
  passkeyAdded: 'Passkey added',
  passkeyRemoved: 'Passkey removed',
};
export const actionOptions = optionsOf(ACTIONS);

/** Actions that speak for themselves. */
const ALONE = new Set([
  'signedIn',
  'ended',
  'signInFailed',
  'signInSlowed',
  'refused',
  'mailRead',
  'settingsChanged',
  'totpAdded',
  'totpRemoved',
  'secondFactorRemoved',
  'passkeysRemoved',
  'passkeyAdded',
  'passkeyRemoved',
]);
const ALERTS = new Set(['signInFailed', 'signInSlowed', 'refused']);

function optionsOf(words: Record<string, string>) {
  return Object.entries(words).map(([value, label]) => ({ value, label }));
}

/** 'Matter changed', 'Signed in'. */
export function actInWords({ action, entity }: Entry): string {
  const verb = ACTIONS[action] ?? humanize(action);
  if (ALONE.has(action)) return verb;
  if (entity === 'trash') return 'Trash emptied';
  return `${ENTITIES[entity] ?? humanize(entity)} ${verb.toLowerCase()}`;
}

export function isAlert({ action }: Entry): boolean {
  return ALERTS.has(action);
}

/** 'Abara v. Northline', and what changed. */
export function subjectOf(entry: Entry): { name: string; detail: string } {
  const { after, name, action } = entry;
  const { summary, list, email, members } = membersOf(after);
  if (action === 'refused') return { name: '', detail: textOf(summary).split(/[;,] /)[0] ?? '' };
  if (action === 'exported')
    return { name: '', detail: list === 'audit' ? 'Record, CSV' : 'Matters, CSV' };
  if (email !== undefined && action.startsWith('signIn'))
    return { name: textOf(email), detail: '' };
  if (entry.entity === 'trash') return { name: '', detail: trashInWords(entry) };
  if (Array.isArray(members))
    return { name: '', detail: members.map((one) => humanize(String(one))).join(', ') };
  const detail =
    entry.before === null
      ? ''
      : changesOf(entry)
          .map(({ label }) => label)
          .join(', ');
  return { name: name ?? '', detail };
}

/** '12 files, 3.4 GB' */
function trashInWords({ before }: Entry): string {
  const { files, bytes } = membersOf(before);
  return `${counted(Number(files), 'file')}, ${sizeInWords(Number(bytes))}`;
}

export type Change = { label: string; before: string; after: string };

/** Differences between before and after, in words. */
export function changesOf({ before, after }: Entry): Change[] {
  const [old, now] = [membersOf(before), membersOf(after)];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((member) => JSON.stringify(old[member]) !== JSON.stringify(now[member]))
    .filter((member) => !['updatedAt', 'id', 'createdAt'].includes(member))
    .map((member) => ({
      label: humanize(member),
      before: textOf(old[member]),
      after: textOf(now[member]),
    }));
}

function membersOf(state: unknown): Record<string, unknown> {
  return state !== null && typeof state === 'object' ? { ...state } : {};
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
