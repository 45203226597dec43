import { configureStore } from '@reduxjs/toolkit';
import { Provider } from 'react-redux';
import { afterEach, expect, test, vi } from 'vitest';
import type { Refusal } from '@matterdesk/contract/errors.ts';
import type { ColumnId, Task } from '@matterdesk/contract/tasks.ts';
import type { CaseFieldProps } from '../../../core/case-field.ts';
import {
  button,
  click,
  descriptionOf,
  eventually,
  field,
  fill,
  press,
  render,
  text,
} from '../../../testing/render.tsx';
import { userReducer } from '../../accounts/slice.ts';
import { tasksReducer } from '../slice.ts';
import { TaskDialog } from './TaskDialog.tsx';

afterEach(() => vi.unstubAllGlobals());

const ada = { id: 'ada', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@firm.example' };

const task: Task = {
  id: 'task-1',
  name: 'Call the client',
  description: 'About the medical records',
  startTime: '2026-03-03T09:00:00.000Z',
  endTime: '2026-03-04T17:00:00.000Z',
  case: 'case-1',
  assignedTo: ada,
  assignee: ada.id,
  type: 'intake',
  columnSince: '2026-03-01T09:00:00.000Z',
  createdAt: '2026-03-01T09:00:00.000Z',
  updatedAt: '2026-03-01T09:00:00.000Z',
};

function CaseField({ value }: CaseFieldProps) {
  return <output>{value?.label}</output>;
}

async function open(opened: Task | null, column: ColumnId = 'intake') {
  const onClose = vi.fn<() => void>();
  const store = configureStore({ reducer: { user: userReducer, tasks: tasksReducer } });
  await render(
    <Provider store={store}>
      <TaskDialog
        task={opened}
        column={column}
        matter={opened && { id: opened.case, label: 'Doe v. Roe' }}
        caseField={CaseField}
        onClose={onClose}
      />
    </Provider>,
  );
  return onClose;
}

/** Answers every request with this; what was asked, as it was sent. */
function answerWith(body: unknown, status = 200) {
  const asked: { method: string | undefined; body: unknown }[] = [];
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
    asked.push({ method: init.method, body: JSON.parse(init.body as string) });
    return Response.json(body, { status });
  });
  return asked;
}

test('names what a new task lacks, focuses the first, and sends nothing', async () => {
  const asked = answerWith({});
  await open(null, 'discovery');
  expect(text()).toContain('It starts in Intake; move it to Discovery from there.');
  await click(button('Save'));
  for (const label of ['Name', 'Start time', 'End time'])
    await eventually(() => expect(text()).toContain(`${label} is required`));
  expect(text()).toContain('Please select any case');
  expect(text()).toContain('Please select any user');
  expect(document.activeElement).toBe(field('Name'));
  expect(asked).toEqual([]);
});

test('refuses an end before the start', async () => {
  const asked = answerWith({});
  await open(task);
  await fill(field('Start Time'), '2026-07-01T09:00');
  await fill(field('End Time'), '2026-07-01T08:59');
  await click(button('Save'));
  await eventually(() =>
    expect(descriptionOf(field('End Time'))).toBe('End time must not be before start time'),
  );
  expect(asked).toEqual([]);
});

test('sends only what was changed', async () => {
  const renamed = { ...task, name: 'Early watch' };
  const asked = answerWith({ statusCode: 200, message: 'Task updated', body: renamed });
  const onClose = await open(task);
  await fill(field('Name'), 'Early watch');
  await click(button('Save'));
  await eventually(() => expect(onClose).toHaveBeenCalledOnce());
  expect(asked).toEqual([{ method: 'PATCH', body: { name: 'Early watch' } }]);
});

test('shows what the server refuses under its field and keeps what was typed', async () => {
  const message = 'Please select any user';
  const errors = [{ path: 'assignedTo', message }];
  const refusal: Refusal = { statusCode: 400, code: 'invalidInput', message, body: null, errors };
  answerWith(refusal, 400);
  const onClose = await open(task);
  await fill(field('Name'), 'Call the witness');
  await click(button('Save'));
  await eventually(() => expect(descriptionOf(field('Assigned To'))).toBe(message));
  expect(document.activeElement).toBe(field('Assigned To'));
  expect(field('Name').value).toBe('Call the witness');
  expect(onClose).not.toHaveBeenCalled();
});

test('asks before it discards what was typed', async () => {
  const onClose = await open(task);
  await fill(field('Name'), 'Call the witness');
  await click(button('Close'));
  expect(text()).toContain('Discard what you typed?');
  await click(button('Keep editing'));
  expect(field('Name').value).toBe('Call the witness');
  await press(field('Name'), 'Escape');
  await click(button('Discard'));
  expect(onClose).toHaveBeenCalledOnce();
});

test('closes at once where nothing was typed', async () => {
  const onClose = await open(task);
  await press(field('Name'), 'Escape');
  expect(onClose).toHaveBeenCalledOnce();
  expect(text()).not.toContain('Discard what you typed?');
});
