import { configureStore } from '@reduxjs/toolkit';
import { type Ref, useImperativeHandle, useRef, useState } from 'react';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import type { TrayItem } from '@matterdesk/contract/tray.ts';
import { abara, trayItem } from '../../../testing/factories.ts';
import { button, click, render } from '../../../testing/render.tsx';
import type { Option } from '../../../ui/option.ts';
import { matterOption } from '../rules.ts';
import { type FilingChoice, FilingPanel } from './FilingPanel.tsx';

const store = configureStore({ reducer: { tray: () => ({ last: null }) } });
const other = { id: 'c2', caseName: 'Petrov v. Cascade Builders', caseNo: null };
const proposals = [
  { case: abara, reason: 'Case No 2026-CV-00418 on page 1\nNgozi Abara is the client' },
  { case: other, reason: 'Dana Whitlock is the adjuster' },
];
const nothing = () => undefined;

function AnotherMatter({ value, ref }: { value: Option | null; ref?: Ref<{ focus: () => void }> }) {
  const field = useRef<HTMLButtonElement>(null);
  useImperativeHandle(ref, () => ({ focus: () => field.current?.focus() }), []);
  return (
    <button ref={field} type="button">
      {value?.label ?? 'Another matter'}
    </button>
  );
}

function FolderName({ folder }: { folder: string }) {
  return <p data-folder="">{folder}</p>;
}

function Shown({ item, chosen }: { item: TrayItem; chosen: Option | null }) {
  const [choice, setChoice] = useState<FilingChoice>({ matter: chosen, folder: '' });
  const field = useRef<{ focus: () => void }>(null);
  return (
    <FilingPanel
      item={item}
      choice={choice}
      isBusy={false}
      caseField={AnotherMatter}
      folderField={FolderName}
      other={field}
      fileButton={null}
      onChoose={setChoice}
      onOther={nothing}
      onFile={nothing}
      onTask={undefined}
      onDismiss={nothing}
    />
  );
}

const show = (item: TrayItem, chosen: Option | null = null) =>
  render(
    <Provider store={store}>
      <MemoryRouter>
        <Shown item={item} chosen={chosen} />
      </MemoryRouter>
    </Provider>,
  );

const pressed = () => document.querySelector('[aria-pressed=true]')?.textContent ?? '';
const shown = () => document.body.textContent ?? '';

test('without proposals the cursor is in Another matter, and nothing is chosen', async () => {
  await show(trayItem());
  expect(document.activeElement).toBe(button('Another matter'));
  expect(pressed()).toBe('');
  expect(shown()).toContain('Choose a matter');
  expect(document.querySelector('[data-folder]')?.textContent).toBe('Uploads');
  expect(shown()).not.toContain('With a task');
});

test('a click on a proposal chooses it without filing', async () => {
  await show(trayItem({ proposals }), matterOption(abara));
  expect(pressed()).toContain('Ngozi Abara is the client');
  expect(shown()).toContain('File in Abara v. Northline Freight1');
  const second = [...document.querySelectorAll<HTMLElement>('[aria-pressed]')][1];
  if (second) await click(second);
  expect(pressed()).toContain('Not filed');
  expect(shown()).toContain('File in Petrov v. Cascade Builders2');
});

test('a file with the same bytes is named with its folder, and can still be filed', async () => {
  const url = '/api/v1/files/content/c1/Insurance/Letter%20Nov%2016.pdf';
  await show(trayItem({ proposals, duplicateOf: { case: abara, url } }));
  const link = document.querySelector('a');
  expect(link?.getAttribute('href')).toContain('folder=Insurance&file=Letter%20Nov%2016.pdf');
  expect(link?.closest('p')?.textContent).toBe(
    'The same file as Letter Nov 16.pdf in Insurance. You can still file it.',
  );
});
