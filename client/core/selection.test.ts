import { beforeEach, expect, test } from 'vitest';
import { CallError } from '../api.ts';
import { closeToast, visibleToasts } from '../ui/toast-store.ts';
import { changeEach } from './selection.tsx';

beforeEach(() => {
  // Other test files of the same worker may have left toasts open.
  for (let [left] = visibleToasts(); left; [left] = visibleToasts()) closeToast(left.id);
});

const texts = () => visibleToasts().map(({ text }) => text);

test('an act on several rows says what was refused, and undoes just what was changed', async () => {
  const state = new Map([1, 2, 3, 4, 5, 6].map((id) => [id, 'open']));
  let most = 0;
  let now = 0;
  const change = async (id: number) => {
    now += 1;
    most = Math.max(most, now);
    await Promise.resolve();
    now -= 1;
    if (id === 3) throw new CallError('No permission', 403);
    state.set(id, 'archived');
  };
  const changed = await changeEach([...state.keys()], {
    change,
    restore: (id) => Promise.resolve(state.set(id, 'open')),
    done: (count) => `${count} archived`,
  });
  expect(changed.toSorted((a, b) => a - b)).toEqual([1, 2, 4, 5, 6]);
  expect(most).toBe(4);
  expect(texts()).toEqual(['1 of 6 could not be changed: No permission', '5 archived']);
  visibleToasts()[1]?.actions[0]?.run();
  await expect.poll(() => [...state.values()]).toEqual(Array<string>(6).fill('open'));
});

test('an act on several rows offers nothing to undo when all are refused', async () => {
  const refuse = () => Promise.reject(new CallError('No connection', 0));
  expect(await changeEach([1], { change: refuse, restore: refuse, done: String })).toEqual([]);
  expect(visibleToasts()).toMatchObject([{ kind: 'error', actions: [] }]);
});
