import { configureStore } from '@reduxjs/toolkit';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { beforeAll, expect, test, vi } from 'vitest';
import type { StreamItem } from '@matterdesk/contract/stream.ts';
import { ama, streamEntry, streamItem } from '../../../testing/factories.ts';
import { button, click, render } from '../../../testing/render.tsx';
import { type Act, madeFrom } from '../rules.ts';
import { FoldedRow, StreamRow } from './StreamRow.tsx';

// A page without layout has no popovers.
beforeAll(() => {
  HTMLElement.prototype.showPopover = () => undefined;
});

const moved = streamItem({
  source: 'deadline',
  actor: ama,
  kind: 'moved',
  title: 'Interrogatory responses',
  excerpt: 'Both sides signed.',
  link: '/dashboard/calender?deadline=1',
  changes: [{ field: 'date', label: 'Date', kind: 'date', from: '2026-12-01', to: '2026-12-15' }],
});

const user = { current: { id: 'r' } };
const store = configureStore({ reducer: { user: () => user } });

const show = (item: StreamItem, onAct: (item: StreamItem, act: Act) => void = () => undefined) =>
  render(
    <Provider store={store}>
      <MemoryRouter>
        <StreamRow
          item={item}
          acts={['copy']}
          makeable={['task', 'deadline']}
          timeZone="America/New_York"
          onAct={onAct}
        />
      </MemoryRouter>
    </Provider>,
  );

const row = () => document.querySelector('article');

test('a change is read from its old value to its new one', async () => {
  await show(moved);
  expect(row()?.querySelector('del')?.textContent).toBe('Dec 1, 2026');
  expect(row()?.querySelector('li strong')?.textContent).toBe('Dec 15, 2026');
  const spoken = row()?.querySelector('li')?.cloneNode(true) as HTMLElement;
  for (const hidden of spoken.querySelectorAll('[aria-hidden]')) hidden.remove();
  expect(spoken.textContent).toBe('from Dec 1, 2026 to Dec 15, 2026');
});

test('an item with a day but no time shows no time', async () => {
  await show({ ...moved, at: '2024-03-05T05:00:00.000Z' });
  expect(row()?.querySelector('time')).toBeNull();
  await show({ ...moved, at: '2024-03-05T14:30:00.000Z' });
  expect(document.querySelectorAll('time')).toHaveLength(1);
});

test('a change of one field names the field', async () => {
  const judge = {
    field: 'judge',
    label: 'Judge',
    kind: 'text',
    from: 'Achebe',
    to: 'Osei',
  } as const;
  await show({ ...moved, source: 'change', kind: 'changed', changes: [judge] });
  expect(row()?.querySelector('li')?.textContent).toBe('Judge: from Achebe →  to Osei');
});

test('a private text of a colleague has nothing to open', async () => {
  await show({
    ...moved,
    source: 'text',
    kind: 'created',
    title: 'Text',
    excerpt: '',
    link: null,
    changes: [],
  });
  expect(row()?.textContent).toContain('Ama Owusu Text · private until filed');
  expect(row()?.querySelectorAll('a, button')).toHaveLength(0);
});

test('an item offers what can be made of it', async () => {
  const act = vi.fn<(item: StreamItem, act: Act) => void>();
  await show(moved, act);
  await click(button('Make deadline'));
  expect(act).toHaveBeenCalledWith(moved, { does: 'make', what: 'deadline' });
});

test('an entry leads to the task that was made from it', async () => {
  const made = [{ type: 'task' as const, id: 't1', title: 'Ask for the bills', state: 'Done' }];
  await show(
    streamItem({ source: 'entry', kind: 'note', link: null, entry: streamEntry({ made }) }),
  );
  const link = row()?.querySelector('a');
  expect(link?.textContent).toBe('Ask for the bills · Done');
  expect(link?.getAttribute('href')).toBe('/dashboard/tasks?case=c1&task=t1');
});

test('an answer is a question with its quotation, which leads to the page of its file', async () => {
  const answer = {
    question: 'What are the policy limits?',
    quotation: 'Limited to one million dollars.',
    url: '/api/v1/files/content/c1/Pleadings/Answer.pdf?version=2',
    page: 7,
  };
  const memo = (own: Partial<typeof answer> | { url: null }) =>
    streamItem({
      source: 'entry',
      kind: 'memo',
      link: null,
      actor: ama,
      entry: streamEntry({ kind: 'memo', text: '', answer: { ...answer, ...own } }),
    });
  await show(memo({}));
  expect(row()?.textContent).toContain('Ama Owusu asked What are the policy limits?');
  expect(row()?.querySelector('.font-serif')?.textContent).toBe(`“${answer.quotation}”`);
  const link = row()?.querySelector('a');
  expect(link?.textContent).toBe('Answer.pdf p. 7');
  expect(link?.getAttribute('href')).toBe(
    '/dashboard/caseDetails/c1?folder=Pleadings&file=Answer.pdf',
  );
  const { text } = madeFrom(memo({}));
  expect(text).toBe(`${answer.question}\n“${answer.quotation}” (Answer.pdf, page 7)`);
});

test('an answer whose file left the matter has its words and no link', async () => {
  const answer = { question: 'Why?', quotation: 'a'.repeat(500), url: null, page: 7 };
  await show(
    streamItem({
      source: 'entry',
      kind: 'memo',
      link: null,
      entry: streamEntry({ kind: 'memo', answer }),
    }),
  );
  expect(row()?.querySelector('a')).toBeNull();
  expect(row()?.textContent).toContain('No longer in this matter p. 7');
  expect(row()?.querySelector('.font-serif')?.textContent).toHaveLength(303);
  const title = document.querySelector<HTMLElement>('article button');
  if (title) await click(title);
  expect(row()?.querySelector('.font-serif')?.textContent).toBe(`“${answer.quotation}”`);
});

test('folded changes say how many there are and open by a click', async () => {
  const open = vi.fn<() => void>();
  await render(<FoldedRow items={[moved, { ...moved, id: '2' }]} onOpen={open} />);
  const [fold] = document.querySelectorAll('button');
  expect(fold?.textContent).toContain('2 changes · 2 deadlines moved');
  fold?.click();
  expect(open).toHaveBeenCalled();
});
