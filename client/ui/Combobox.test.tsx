import { act, useState } from 'react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { button, click, fill, render } from '../testing/render.tsx';
import { Combobox } from './Combobox.tsx';
import type { Option } from './option.ts';

const ADAMS = {
  id: 'adams',
  label: 'Adams v. City',
  number: '1',
  note: '1 · Opposing counsel: Reyes LLP',
};
const REYES = { id: 'reyes', label: 'Reyes v. Jansen', number: '2026-CV-7', note: '2026-CV-7' };

/** A picker whose answers arrive when the test lets them. */
async function show({ isOpen = true } = {}) {
  let answer: (options: Option[]) => void = () => undefined;
  let chosen: Option | null = null;
  function Picker() {
    const [value, setValue] = useState<Option | null>(null);
    const [text, setText] = useState<string>();
    const [found, setFound] = useState<{ text: string; options: Option[] }>();
    chosen = value;
    answer = (options) => setFound({ text: text ?? '', options });
    return (
      <Combobox
        aria-label="Case"
        placeholder="Select any case"
        value={value}
        onChange={setValue}
        options={found?.options ?? []}
        loading={text !== found?.text}
        onSearch={setText}
      />
    );
  }
  await render(<Picker />);
  if (isOpen) await click(button('Case'));
  const input = () => document.querySelector<HTMLInputElement>('input[role=combobox]');
  return {
    input,
    type: (text: string) => fill(input() as HTMLInputElement, text),
    arrive: (options: Option[]) => act(async () => answer(options)),
    press: (key: string) =>
      act(async () => {
        const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
        input()?.dispatchEvent(event);
      }),
    highlighted: () =>
      document.getElementById(input()?.getAttribute('aria-activedescendant') ?? '')?.textContent,
    chosen: () => chosen,
  };
}

test('a text that is typed before the list arrives is kept, and Enter chooses what is highlighted', async () => {
  const picker = await show();
  await picker.type('reyes');
  expect(picker.input()?.value).toBe('reyes');
  await picker.arrive([REYES, ADAMS]);
  expect(picker.input()?.value).toBe('reyes');
  expect(picker.highlighted()).toContain('Reyes v. Jansen');
  await picker.press('Enter');
  expect(picker.chosen()).toEqual(REYES);
  expect(button('Case').textContent).toBe('Reyes v. Jansen2026-CV-7');
});

test('Enter before the matches of a text arrive takes their first, and none of an earlier text', async () => {
  const picker = await show();
  await picker.type('a');
  await picker.arrive([ADAMS]);
  expect(picker.highlighted()).toContain('Adams v. City');
  await picker.type('reyes');
  expect(picker.highlighted()).toBeUndefined();
  await picker.press('Enter');
  expect(picker.chosen()).toBeNull();
  expect(document.body.textContent).toContain('Loading…');
  await picker.arrive([REYES, ADAMS]);
  expect(picker.chosen()).toEqual(REYES);
  expect(picker.input()).toBeNull();
});

test('a letter after an early Enter takes it back, and an Enter without a text chooses nothing', async () => {
  const picker = await show();
  await picker.press('Enter');
  await picker.arrive([ADAMS, REYES]);
  expect(picker.chosen()).toBeNull();
  await picker.type('ada');
  await picker.press('Enter');
  await picker.type('r');
  await picker.arrive([REYES]);
  expect(picker.chosen()).toBeNull();
  expect(picker.highlighted()).toContain('Reyes v. Jansen');
});

test('an early Enter for a text that nothing matches leaves the list open', async () => {
  const picker = await show();
  await picker.type('zzz');
  await picker.press('Enter');
  await picker.arrive([]);
  expect(picker.chosen()).toBeNull();
  expect(document.body.textContent).toContain('No match');
});

test('the options mark what matched, and say in which field', async () => {
  const picker = await show();
  await picker.type('reyes');
  await picker.arrive([REYES, ADAMS]);
  const marks = [...document.querySelectorAll('[role=option] mark')];
  expect(marks.map(({ textContent }) => textContent)).toEqual(['Reyes', 'Reyes']);
  expect(document.body.textContent).toContain('Opposing counsel: Reyes LLP');
});

test('a letter on the closed dropdown opens its search instead of acting as a page shortcut', async () => {
  const shortcut = vi.fn<() => void>();
  document.addEventListener('keydown', shortcut);
  onTestFinished(() => document.removeEventListener('keydown', shortcut));
  const picker = await show({ isOpen: false });
  await act(async () => button('Case').focus());
  const event = new KeyboardEvent('keydown', { key: 'j', bubbles: true });
  await act(async () => button('Case').dispatchEvent(event));
  expect(document.activeElement).toBe(picker.input());
  expect(shortcut).not.toHaveBeenCalled();
});
