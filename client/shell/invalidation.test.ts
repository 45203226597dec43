import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Case } from '@matterdesk/contract/cases.ts';
import type { FileEvent } from '@matterdesk/contract/files.ts';
import type { Task } from '@matterdesk/contract/tasks.ts';
import { actedOnCase, filedToCase } from '../core/filed.ts';
import { keyOf } from '../core/resource.ts';
import { store } from '../core/store.ts';
import { signedIn } from '../features/accounts/slice.ts';
import { activity, details } from '../features/cases/slice.ts';
import { fileDeleted, fileReceived } from '../features/files/slice.ts';
import { moveDone, taskRemoved, taskSaved } from '../features/tasks/slice.ts';
import './later-slices.ts';
import { assembleStore, everythingCleared } from './root-store.ts';

const file: FileEvent = {
  url: '/api/v1/files/content/m/Leases/Lease.txt',
  case: 'm',
  folder: 'Leases',
  name: 'Lease.txt',
  size: 3,
  mimeType: 'text/plain',
  sha256: '00',
  uploadedAt: '2026-03-01T00:00:00.000Z',
  uploadedBy: { id: 'p', firstName: 'Ama', lastName: 'Owusu' },
  pages: null,
  version: 1,
  training: { status: 'not trained', progress: null, error: null },
};

beforeEach(() => {
  assembleStore({});
  store.dispatch(signedIn({ token: 't' } as Parameters<typeof signedIn>[0]));
});
afterEach(() => {
  store.dispatch(everythingCleared());
});

/** Whether the case is read again after an action: it holds the number of its files. */
function isReadAgain(action: Parameters<typeof store.dispatch>[0]): boolean {
  const key = keyOf('m');
  const answer = { case: { id: 'm' } as Case };
  store.dispatch(details.step({ kind: 'begun', key, isMore: false }));
  store.dispatch(details.step({ kind: 'answered', key, answer, after: null }));
  expect(store.getState().cases.details[key]?.stale).toBe(false);
  store.dispatch(action);
  return store.getState().cases.details[key]?.stale === true;
}

test.each([
  ['a new file', fileReceived(file)],
  ['a deleted file', fileDeleted(file)],
  ['what another feature files', filedToCase('m')],
  ['what the user did with a file', actedOnCase('m')],
])('%s has its case read again, with the number of its files', (_, action) => {
  expect(isReadAgain(action)).toBe(true);
});

test('neither files of other cases nor the progress of a training have the case read again', () => {
  expect(isReadAgain(fileReceived({ ...file, case: 'other' }))).toBe(false);
  const training = { status: 'training', progress: 0.5, error: null } as const;
  expect(isReadAgain(fileReceived({ ...file, training }))).toBe(false);
});

const task = { id: 't', case: 'm', type: 'adr', updatedAt: '2026-03-01T00:00:00.000Z' } as Task;

test.each([
  ['saved', taskSaved(task)],
  ['moved', moveDone({ task, before: null })],
  ['deleted', taskRemoved('t')],
])('a task that the user has %s has the activity of its case read again', (_, action) => {
  const key = keyOf('m');
  const answer = { activity: [], nextCursor: null };
  store.dispatch(activity.step({ kind: 'begun', key, isMore: false }));
  store.dispatch(activity.step({ kind: 'answered', key, answer, after: null }));
  expect(store.getState().cases.activity[key]?.stale).toBe(false);
  store.dispatch(action);
  expect(store.getState().cases.activity[key]?.stale).toBe(true);
});
