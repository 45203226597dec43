import { expect, test, vi } from 'vitest';
import { button, click, render } from '../testing/render.tsx';
import { Pending } from './Pending.tsx';

const shown = () => document.body.textContent ?? '';
const failed = (status: number, message: string) => ({
  failure: { status, message },
  status: 'failed',
  refresh: vi.fn<() => void>(),
});

test('what failed to load can be tried again', async () => {
  const of = failed(500, 'Something went wrong');
  await render(<Pending of={of} what="the deadline" />);
  expect(shown()).toContain('Couldn’t load the deadline');
  await click(button('Try again'));
  expect(of.refresh).toHaveBeenCalledOnce();
});

test('what is not there for this user says why, and is not tried again', async () => {
  await render(<Pending of={failed(404, 'Deadline not found')} what="the deadline" />);
  expect(shown()).toContain('Deadline not found');
  expect(shown()).toContain('It was removed, or you no longer have access to it.');
  expect(shown()).not.toContain('Try again');
});
