import { act, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Field } from './Field.tsx';
import { MultiSelect } from './MultiSelect.tsx';

const PEOPLE = ['Ama Owusu', 'Rune Lindqvist', 'Jun Tanaka'].map((label) => ({ id: label, label }));

describe('MultiSelect', () => {
  test('shows "Select Options" when empty, and adds or removes a person on each pick', async () => {
    const { input, press, pick, chosen } = await show([]);
    expect(input().placeholder).toBe('Select Options');
    await press('ArrowDown');
    await pick('Jun Tanaka');
    await pick('Ama Owusu');
    expect(chosen()).toEqual(['Jun Tanaka', 'Ama Owusu']);
    expect(input().placeholder).toBe('');
    await pick('Jun Tanaka');
    expect(chosen()).toEqual(['Ama Owusu']);
  });

  test('closes its list on Escape and keeps the choice; only the next Escape reaches the dialog', async () => {
    const onKeyDown = vi.fn<() => void>();
    document.body.addEventListener('keydown', onKeyDown);
    const { press, options, chosen } = await show(['Ama Owusu']);
    await press('ArrowDown');
    expect(options()).toHaveLength(3);
    onKeyDown.mockClear();
    await press('Escape');
    expect(options()).toHaveLength(0);
    expect(onKeyDown).not.toHaveBeenCalled();
    await press('Escape');
    expect(onKeyDown).toHaveBeenCalledOnce();
    expect(chosen()).toEqual(['Ama Owusu']);
    document.body.removeEventListener('keydown', onKeyDown);
  });

  test('removes the last person on Backspace only while the field is empty', async () => {
    const { press, type, chosen } = await show(['Ama Owusu', 'Jun Tanaka']);
    await type('ru');
    await press('Backspace');
    expect(chosen()).toEqual(['Ama Owusu', 'Jun Tanaka']);
    await type('');
    await press('Backspace');
    expect(chosen()).toEqual(['Ama Owusu']);
  });

  test('filters by the typed text regardless of case, and adds the active option on Enter', async () => {
    const { type, press, options, chosen } = await show([]);
    await type('RUNE');
    expect(options().map((option) => option.textContent)).toEqual(['Rune Lindqvist']);
    await press('Enter');
    expect(chosen()).toEqual(['Rune Lindqvist']);
    await type('zzz');
    expect(options()).toHaveLength(0);
    expect(document.querySelector('[role=status]')?.textContent).toBe('No match');
  });

  test('takes the first match of a text on which Enter was pressed before the people were there', async () => {
    const { type, press, arrive, chosen } = await show([], { people: [] });
    await type('rune');
    await press('Enter');
    expect(chosen()).toEqual([]);
    await arrive(PEOPLE);
    expect(chosen()).toEqual(['Rune Lindqvist']);
  });
});

async function show(initial: string[], { people = PEOPLE } = {}) {
  let arrive: (people: typeof PEOPLE) => void = () => undefined;
  const host = document.body.appendChild(document.createElement('div'));
  let ids = initial;
  function Form() {
    const [value, setValue] = useState(initial);
    const [options, setOptions] = useState(people);
    arrive = setOptions;
    ids = value;
    return (
      <Field label="Assigned Users">
        <MultiSelect
          options={options}
          loading={options.length === 0}
          value={value}
          onChange={setValue}
        />
      </Field>
    );
  }
  const root = createRoot(host);
  onTestFinished(() => act(async () => root.unmount()));
  await act(async () => root.render(<Form />));
  const input = () =>
    document.querySelector<HTMLInputElement>('input[role=combobox]') as HTMLInputElement;
  const options = () => [...document.querySelectorAll<HTMLElement>('[role=option]')];
  return {
    input,
    options,
    chosen: () => ids,
    arrive: (now: typeof PEOPLE) => act(async () => arrive(now)),
    press: (key: string) =>
      act(async () => {
        input().dispatchEvent(
          new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
        );
      }),
    pick: (label: string) =>
      act(async () =>
        options()
          .find((option) => option.textContent === label)
          ?.click(),
      ),
    type: (text: string) =>
      act(async () => {
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(
          input(),
          text,
        );
        input().dispatchEvent(new InputEvent('input', { bubbles: true }));
      }),
  };
}
