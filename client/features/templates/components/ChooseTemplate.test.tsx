import { act, useState } from 'react';
import { expect, test } from 'vitest';
import type { Template } from '@matterdesk/contract/templates.ts';
import { fill, render } from '../../../testing/render.tsx';
import { ChooseTemplate } from './ChooseTemplate.tsx';

const templates = ['Bill request', 'Records request'].map((name): Template => ({
  id: name,
  name,
  types: [],
  active: true,
  version: 1,
  versions: [],
  fields: [],
  questions: [],
  usesLists: false,
  updatedAt: '2026-03-01T00:00:00.000Z',
}));

/** The choice while its templates are on their way. */
async function show() {
  let arrive: () => void = () => undefined;
  const chosen: string[] = [];
  function Choice() {
    const [data, setData] = useState<Template[] | null>(null);
    arrive = () => setData(templates);
    const list = { data, failure: null, status: 'loading', refresh: () => undefined };
    const choose = (id: string) => chosen.push(id);
    return <ChooseTemplate list={list} type="PI" recent={[]} chosen="" onChoose={choose} />;
  }
  await render(<Choice />);
  const input = () => document.querySelector('input') as HTMLInputElement;
  return {
    chosen,
    type: (text: string) => fill(input(), text),
    enter: () =>
      act(async () => {
        input().dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
      }),
    arrive: () => act(async () => arrive()),
  };
}

test('Enter before the templates arrive takes the first match once they have', async () => {
  const choice = await show();
  await choice.type('records');
  await choice.enter();
  expect(choice.chosen).toEqual([]);
  await choice.arrive();
  expect(choice.chosen).toEqual(['Records request']);
});

test('changing the text after Enter does not choose a template', async () => {
  const choice = await show();
  await choice.type('records');
  await choice.enter();
  await choice.type('bill');
  await choice.arrive();
  expect(choice.chosen).toEqual([]);
  await choice.enter();
  expect(choice.chosen).toEqual(['Bill request']);
});
