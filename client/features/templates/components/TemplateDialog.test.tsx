import { configureStore } from '@reduxjs/toolkit';
import { act, useEffect, useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Template } from '@matterdesk/contract/templates.ts';
import { connectStore } from '../../../core/store.ts';
import { button, click, eventually, field, fill, render } from '../../../testing/render.tsx';
import { templatesReducer } from '../slice.ts';
import { TemplateDialog } from './TemplateDialog.tsx';

const letter: Template = {
  id: 't1',
  name: 'Records request',
  types: ['PI'],
  active: true,
  version: 1,
  versions: [],
  fields: [],
  questions: [],
  usesLists: false,
  updatedAt: '2026-11-02T09:00:00.000Z',
};

beforeEach(() => {
  connectStore(configureStore({ reducer: { templates: templatesReducer } }) as never);
});
afterEach(() => vi.unstubAllGlobals());

/** The dialog until it closes, as its page shows it. */
function Opened({ template }: { template: Template | null }) {
  const [isOpen, setIsOpen] = useState(true);
  return isOpen && <TemplateDialog template={template} onClose={() => setIsOpen(false)} />;
}

const isOpen = () => document.querySelector('[role=dialog]') !== null;
const shown = () => document.body.textContent ?? '';

function checkbox(name: string): HTMLInputElement {
  const label = [...document.querySelectorAll('label')].find(({ textContent }) =>
    textContent.startsWith(name),
  );
  const found = label?.querySelector('input');
  if (!found) throw new Error(`No checkbox is named ${name}`);
  return found;
}

test('a template whose use or types were edited asks before it closes', async () => {
  await render(<Opened template={letter} />);
  for (const name of ['In use', 'Civil']) {
    await click(checkbox(name));
    await click(button('Close'));
    await eventually(() => expect(shown()).toContain('Discard what you typed?'));
    await click(button('Keep editing'));
    await eventually(() => expect(shown()).not.toContain('Discard what you typed?'));
    await click(checkbox(name));
  }
  expect(isOpen()).toBe(true);
  await click(button('Close'));
  expect(isOpen()).toBe(false);
});

test('an edited template is saved with its name, its types and whether it is in use', async () => {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (path: string, { body }: RequestInit) => {
    sent.push([path, JSON.parse(typeof body === 'string' ? body : 'null')]);
    return Response.json({ message: 'OK', body: { template: letter } });
  });
  await render(<Opened template={letter} />);
  await fill(field('Name'), 'Request for records');
  await click(checkbox('Civil'));
  await click(checkbox('In use'));
  await click(button('Save'));
  await eventually(() => expect(isOpen()).toBe(false));
  const types = expect.arrayContaining(['PI', 'Civil']);
  expect(sent).toEqual([
    ['/api/v1/templates/t1', { name: 'Request for records', types, active: false }],
  ]);
});

test('an edited template keeps what someone else changed while its form was open', async () => {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (_: string, { body }: RequestInit) => {
    sent.push(JSON.parse(typeof body === 'string' ? body : 'null'));
    return Response.json({ message: 'OK', body: { template: letter } });
  });
  const handle: { change?: (now: Template) => void } = {};
  function Shown() {
    const [now, setNow] = useState<Template | null>(letter);
    useEffect(() => void (handle.change = setNow), []);
    return now && <TemplateDialog template={now} onClose={() => setNow(null)} />;
  }
  await render(<Shown />);
  await fill(field('Name'), 'Request for records');
  await act(async () => handle.change?.({ ...letter, active: false }));
  expect(checkbox('In use').checked).toBe(false);
  await click(button('Save'));
  await eventually(() => expect(isOpen()).toBe(false));
  expect(sent).toEqual([{ name: 'Request for records' }]);
});

test('a new template is not sent without its file', async () => {
  vi.stubGlobal('fetch', vi.fn());
  await render(<Opened template={null} />);
  await click(button('Upload'));
  await eventually(() => expect(shown()).toContain('Choose a Word file'));
  expect(fetch).not.toHaveBeenCalled();
  await click(button('Close'));
  expect(isOpen()).toBe(false);
});

test('a new template is named after its file, unless it has a name already', async () => {
  await render(<Opened template={null} />);
  await choose('Fee agreement.docx');
  expect(field('Name').value).toBe('Fee agreement');
  await choose('Fees (2).docx');
  expect(field('Name').value).toBe('Fee agreement');
  await click(button('Close'));
  await eventually(() => expect(shown()).toContain('Discard what you typed?'));
  await click(button('Discard'));
});

async function choose(name: string): Promise<void> {
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  if (!input) throw new Error('No file is asked for');
  const value = [new File(['x'], name)];
  Object.defineProperty(input, 'files', { value, configurable: true });
  await act(async () => input.dispatchEvent(new Event('change', { bubbles: true })));
}
