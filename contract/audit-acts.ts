/** Names of entities, before the act. */
export const entityWords: Readonly<Record<string, string>> = {
  user: 'User',
  session: 'Session',
  invitation: 'Invitation',
  case: 'Matter',
  access: 'Access',
  task: 'Task',
  folder: 'Folder',
  file: 'File',
  paper: 'Paper',
  pack: 'Pack',
  import: 'Import',
  template: 'Template',
  googleGrant: 'Google account',
  mail: 'Email',
  text: 'Text',
  phoneNumber: 'Phone number',
  list: 'List',
  request: 'Request',
  jurisdiction: 'Court calendar',
  rule: 'Court rule',
  firm: 'Settings',
  trash: 'Trash',
  entry: 'Entry',
  event: 'Event',
  feed: 'Calendar feed',
  deadline: 'Deadline',
  proposal: 'Recount',
  conflict: 'Conflict check',
  contact: 'Contact',
  party: 'Party',
  intake: 'Intake',
  intakeForm: 'Intake form',
  intakeSettings: 'Intake settings',
};

/** Acts after the name of their entity: 'Matter changed'. */
export const actionWords: Readonly<Record<string, string>> = {
  created: 'added',
  updated: 'changed',
  changed: 'changed',
  'access changed': 'access changed',
  'access opened': 'opened by override',
  reviewed: 'reviewed',
  deleted: 'deleted',
  restored: 'restored',
  archived: 'archived',
  reopened: 'reopened',
  moved: 'moved',
  completed: 'done',
  imported: 'imported',
  undone: 'undone',
  exported: 'exported',
  downloaded: 'downloaded',
  previewed: 'previewed',
  trained: 'trained',
  trainingFailed: 'training failed',
  sent: 'sent',
  received: 'received',
  found: 'found at the carrier',
  read: 'read',
  refused: 'refused',
  filed: 'filed',
  unfiled: 'unfiled',
  dismissed: 'dismissed',
  connected: 'connected',
  disconnected: 'disconnected',
  lost: 'disconnected by Google',
  bought: 'bought',
  notBought: 'not bought',
  canceled: 'canceled',
  skipped: 'skipped',
  invited: 'invitations sent',
  revoked: 'revoked',
  proposed: 'change proposed',
  accepted: 'change accepted',
  declined: 'declined',
  referred: 'referred',
  corrected: 'corrected',
  verified: 'verified',
  acknowledged: 'acknowledged',
  vacated: 'vacated',
  mismatched: 'entered differently',
  recounted: 'recounted',
  kept: 'kept',
  withdrawn: 'withdrawn',
  decided: 'decided',
  concluded: 'concluded',
  looked: 'run',
  merged: 'merged',
  unmerged: 'merge undone',
  keptApart: 'kept apart',
  opened: 'opened by override',
  contacted: 'contacted',
  noted: 'note added',
  lettered: 'letter sent',
  erased: 'erased',
  settingsChanged: 'changed',
};

/** Acts that need no entity before them. */
export const wholeActWords: Readonly<Record<string, string>> = {
  signedIn: 'Signed in',
  ended: 'Signed out',
  sessionsEnded: 'Signed out everywhere',
  signInFailed: 'Sign-in failed',
  signInSlowed: 'Sign-in slowed',
  mailRead: 'Email read',
  settingsChanged: 'Settings changed',
  deadlinesExported: 'Deadlines exported',
  passwordChanged: 'Password changed',
  passwordReset: 'Password reset',
  passwordLinkMailed: 'Password link mailed',
  passwordLinkCreated: 'Password link made',
  totpAdded: 'Authenticator app turned on',
  totpRemoved: 'Authenticator app turned off',
  secondFactorRemoved: 'Second factor removed',
  passkeysRemoved: 'Passkeys removed',
  passkeyAdded: 'Passkey added',
  passkeyRemoved: 'Passkey removed',
};

/** 'Matter changed', 'Signed in'. */
export function actInWords(entity: string, action: string): string {
  if (entity === 'request') return 'Refused';
  if (entity === 'trash') return 'Trash emptied';
  const whole = wholeActWords[action];
  if (whole !== undefined) return whole;
  return `${entityWords[entity] ?? spaced(entity)} ${actionWords[action] ?? spaced(action).toLowerCase()}`;
}

/** 'demandOfInsurance' becomes 'Demand of insurance'; abbreviations stay in capitals. */
export function spaced(name: string): string {
  const words = name
    .replaceAll(/[._]/g, ' ')
    .replaceAll(
      /([a-z])([A-Z])(?![A-Z])/g,
      (_, last: string, first: string) => `${last} ${first.toLowerCase()}`,
    );
  return words.charAt(0).toUpperCase() + words.slice(1);
}
