import { configureStore } from '@reduxjs/toolkit';
import { act } from 'react';
import { Provider } from 'react-redux';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import type { Import } from '@matterdesk/contract/imports.ts';
import { socketReducer } from '../../core/connection.ts';
import { featureSlice } from '../../core/feature-slice.ts';
import { people } from '../../core/people.ts';
import { keptEntry } from '../../core/resource.ts';
import { connectStore } from '../../core/store.ts';
import { countsOf, oneImport, petrov, importProblem } from '../../testing/factories.ts';
import { button, click, eventually, field, render } from '../../testing/render.tsx';
import { ImportPage } from './ImportPage.tsx';
import { importsReducer } from './slice.ts';

type Sent = { path: string; body: unknown };
type Answer = (sent: Sent, before: Import) => Import | Response;

const ama = { id: 'ama', firstName: 'Ama', lastName: 'Owusu', active: true, role: 'admin' };
const user = featureSlice('user', { people }, { state: { current: ama, token: 't' } });

afterEach(() => vi.unstubAllGlobals());

/** Opens the page of an import; `answer` replies to what is not a read. @returns what was sent */
async function open(shown: Import, answer: Answer = (_, before) => before, search = '') {
  let present = shown;
  const sent: Sent[] = [];
  vi.stubGlobal('fetch', async (path: string, { method, body }: RequestInit) => {
    if (method !== 'GET') {
      const one = { path, body: JSON.parse(typeof body === 'string' ? body : 'null') as unknown };
      sent.push(one);
      const reply = answer(one, present);
      if (reply instanceof Response) return reply;
      present = reply;
    }
    return Response.json({ message: 'OK', body: { import: present } });
  });
  const store = configureStore({
    reducer: { user: user.reducer, imports: importsReducer, socket: socketReducer },
    preloadedState: {
      user: { people: { '"all"': keptEntry([ama]) }, current: ama, token: 't' } as never,
    },
  });
  connectStore(store as never);
  const address = `/dashboard/firm/move-in/i1${search}`;
  const routes = [{ path: '/dashboard/firm/move-in/:id', element: <ImportPage id="i1" /> }];
  const router = createMemoryRouter(routes, { initialEntries: [address] });
  await render(
    <Provider store={store}>
      <RouterProvider router={router} />
    </Provider>,
  );
  await eventually(() => expect(heading()).toContain('Move in from'));
  return { sent, become: (next: Import) => (present = next) };
}

const heading = () => document.querySelector('h1')?.textContent ?? '';
const shown = () => document.body.textContent ?? '';
const step = () => document.querySelector('[aria-current=step]')?.textContent ?? '';
/** The last one: the trail above the page has names of acts too. */
const link = (name: string) =>
  [...document.querySelectorAll('a')].findLast(({ textContent }) => textContent === name);

async function follow(name: string) {
  const found = link(name);
  if (!found) throw new Error(`No link is named ${name}`);
  await click(found);
}

async function choose(control: HTMLElement, value: string) {
  const { set } = Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value') ?? {};
  await act(async () => {
    set?.call(control, value);
    control.dispatchEvent(new Event('change', { bubbles: true }));
  });
}

function named(label: string): HTMLElement {
  const found = document.querySelector<HTMLElement>(`[aria-label="${label}"]`);
  if (!found) throw new Error(`Nothing has the label ${label}`);
  return found;
}

const start = (row: number) =>
  importProblem({
    file: 'calendar.csv',
    row,
    column: 'Start',
    message: 'No start time',
    kind: 'events',
  });
const checked = oneImport({
  state: 'checked',
  dryRun: true,
  counts: { contacts: countsOf(12_480, 12_480), matters: countsOf(5, 0, 0, 0, 1, 4) },
  problems: [start(4), start(9), start(12), importProblem(), petrov],
  problemCount: 8,
});

test('a choice of the columns is saved at once, and the check begins after it', async () => {
  const { sent } = await open(oneImport(), ({ path, body }, before) =>
    path.endsWith('/run')
      ? { ...before, state: 'running', dryRun: true }
      : { ...before, tables: { ...before.tables, ...(body as Pick<Import, 'tables'>).tables } },
  );
  expect(step()).toContain('Columns');
  expect(shown()).toContain('Still to choose1 type');
  await choose(named('Estates becomes'), 'Civil');
  await eventually(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toEqual({ tables: { type: { Estates: 'Civil' } } });
  await eventually(() => expect(shown()).not.toContain('Still to choose'));

  await click(button('Check'));
  await eventually(() => expect(step()).toContain('Check'));
  expect(sent[1]).toMatchObject({ path: '/api/v1/imports/i1/run', body: { dryRun: true } });
});

test('a field is filled by a column, by one value in every row, or by nothing', async () => {
  const { sent } = await open(oneImport());
  await choose(field('Type'), '=Med-Mal');
  await choose(field('Case name'), '');
  await choose(field('Email'), ':Name');
  await eventually(() => expect(sent).toHaveLength(3));
  expect(sent.map(({ body }) => body)).toEqual([
    { mapping: { matters: { type: { value: 'Med-Mal' } } } },
    { mapping: { matters: { name: null } } },
    { mapping: { contacts: { email: 'Name' } } },
  ]);
});

test('a choice that is refused springs back', async () => {
  const refusal = { statusCode: 409, code: 'conflict', message: 'It runs', errors: [] };
  await open(oneImport(), () => Response.json(refusal, { status: 409 }));
  await choose(named('Estates becomes'), 'Civil');
  await eventually(() => expect(named('Estates becomes')).toHaveProperty('value', ''));
});

test('the check cannot begin before what is required is filled', async () => {
  await open(oneImport({ state: 'read', mapping: {} }));
  expect(button('Check').disabled).toBe(true);
  expect(shown()).toContain('Required: choose the column of Case number or Case name.');
  expect(link('Matters: Case number or Case name')?.getAttribute('href')).toBe('#columns-matters');
});

test('problems that read the same are one line, and can be narrowed to their outcome', async () => {
  await open(checked);
  const lines = () => [...document.querySelectorAll('section li')].map((one) => one.textContent);
  expect(lines()).toHaveLength(3 + 5);
  await click(button('Show the 3 rows'));
  expect(shown()).toContain('Rows 4, 9, 12');
  expect(shown()).toContain('Clio has Jul 12, 2027; kept as Jul 2, 2027 here.');
  expect(shown()).toContain('3 more in the report');
  await click(button('Conflicting 1'));
  expect(shown()).not.toContain('calendar.csv');
  expect(link('Open matter Petrov v. Cascade Builders')).toBeDefined();
  await click(button('Conflicting 1'));
  expect(shown()).toContain('calendar.csv, 3 rows, Start');
});

test('the move is confirmed after what it will do, and then says what it did', async () => {
  const { sent, become } = await open(checked, (_, before) => ({
    ...before,
    state: 'running',
    dryRun: false,
    progress: { kind: 'contacts', done: 500, total: 12_480, since: before.at },
  }));
  expect(step()).toContain('Check');
  await follow('Move in');
  await eventually(() => expect(step()).toContain('Move in'));
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Step 4 of 4');
  expect(shown()).toContain('What Move in will do');
  expect(sent).toEqual([]);
  await click(button('Move in now'));
  await eventually(() => expect(shown()).toContain('Moving in contacts 500 of 12,480'));
  expect(sent[0]?.body).toEqual({ dryRun: false });

  become({ ...checked, state: 'done', dryRun: false });
  await eventually(() => expect(shown()).toContain('What Move in did'));
  expect(document.querySelector('[role=status]')?.textContent).toBe('Everything is moved in');
  expect(button('Undo').disabled).toBe(false);
  // Its button left with the act.
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Step 4 of 4');
});

test('a run of another admin is shown, and can be stopped', async () => {
  const progress = { kind: 'matters', done: 2, total: 5, since: checked.at } as const;
  const running = oneImport({ ...checked, state: 'running', dryRun: true, progress });
  const { sent } = await open(running, (_, before) => ({ ...before, state: 'mapped' }));
  expect(shown()).toContain('Checking matters 2 of 5');
  expect(button('Move in').disabled).toBe(true);
  await click(button('Stop'));
  await eventually(() => expect(step()).toContain('Columns'));
  expect(sent[0]?.path).toBe('/api/v1/imports/i1/stop');
});

test('a move that failed says why, and goes on from there', async () => {
  const failed = oneImport({
    ...checked,
    state: 'failed',
    dryRun: false,
    error: 'No room is left.',
  });
  const { sent } = await open(failed, (_, before) => ({ ...before, state: 'running' }));
  const alert = document.querySelector('[role=alert]')?.textContent;
  expect(alert).toContain('No room is left. What came in so far stays');
  await click(button('Continue'));
  await eventually(() => expect(sent[0]?.body).toEqual({ dryRun: false }));
});

test('an undo says first what it would leave, and then what it left', async () => {
  const left = [
    {
      kind: 'matters' as const,
      id: 'c1',
      name: 'Abara v. Northline',
      reason: 'Someone added a task',
    },
  ];
  const done = oneImport({ ...checked, state: 'done', dryRun: false });
  const { sent, become } = await open(done, ({ body }, before) => ({
    ...before,
    state: 'running',
    dryRun: (body as { dryRun?: boolean }).dryRun === true,
    undoing: true,
  }));
  await click(button('Undo'));
  await eventually(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toEqual({ dryRun: true });
  await eventually(() => expect(shown()).toContain('Checking what would stay'));
  // The page keeps its place behind the question.
  expect(shown()).toContain('What Move in did');

  become({ ...done, left });
  await eventually(() => expect(shown()).toContain('1 record would stay: Abara v. Northline.'));
  expect(shown()).toContain('The contacts they use would stay too.');
  await click(button('Undo import'));
  await eventually(() => expect(shown()).toContain('Undoing. Everything'));
  become({ ...done, state: 'undone', left });
  await eventually(() => expect(shown()).toContain('1 record stayed'));
  expect(shown()).toContain('Someone added a task');
  expect(link('Abara v. Northline')?.getAttribute('href')).toBe('/dashboard/caseDetails/c1');
});

test('once something was moved in, its columns can only be read', async () => {
  await open(oneImport({ state: 'done', counts: checked.counts }), undefined, '?step=columns');
  expect(shown()).toContain('no longer change');
  expect(document.querySelector('fieldset')?.disabled).toBe(true);
});
