import { expect, test } from 'vitest';
import { findFormErrors, NewIntakeFormSchema } from '@matterdesk/contract/intake-forms.ts';
import {
  blankForm,
  conditionsOf,
  frameOf,
  newQuestion,
  placeOf,
  toBody,
  toInputs,
} from './rules.forms.ts';

const question = (own: object) => ({ ...newQuestion(blankForm.fields), label: 'More', ...own });

test('a new form asks for what the contract wants', () => {
  const parsed = NewIntakeFormSchema.parse(toBody({ ...blankForm, name: 'PI', slug: 'pi' }));
  expect(findFormErrors(parsed.fields)).toEqual([]);
});

test('what is saved is shown as it was typed', () => {
  const inputs = {
    ...blankForm,
    name: 'PI',
    slug: 'pi',
    type: 'PI',
    origins: 'https://firm.example\nhttps://www.firm.example',
    fields: [
      ...blankForm.fields,
      question({ key: 'kind', kind: 'choice' as const, options: 'Car\nFall' }),
      question({ key: 'where', showKey: 'kind', showEquals: 'Fall' }),
    ],
  };
  const parsed = NewIntakeFormSchema.parse(toBody(inputs));
  expect(findFormErrors(parsed.fields)).toEqual([]);
  expect(toInputs({ ...parsed, id: '1' })).toEqual(inputs);
});

test('options are sent only for choices', () => {
  const [sent] = toBody({ ...blankForm, fields: [question({ options: 'Car' })] }).fields;
  expect(sent?.options).toEqual([]);
});

test('a question depends on earlier answers that can be chosen', () => {
  const fields = [
    question({ key: 'a', kind: 'yesNo' as const }),
    question({ key: 'b' }),
    question({ key: 'c', kind: 'choice' as const, options: 'Car\n\nFall ' }),
  ];
  expect(conditionsOf(fields, 2)).toEqual([{ key: 'a', label: 'More', answers: ['Yes', 'No'] }]);
  expect(conditionsOf(fields, 3).at(-1)?.answers).toEqual(['Car', 'Fall']);
});

test.each([
  ['fields', 'root'],
  ['origins.1', 'origins'],
  ['fields.3.showIf.equals', 'fields.3.showKey'],
  ['fields.3.options.0', 'fields.3.options'],
  ['slug', 'slug'],
])('an error of %s is shown at %s', (path, place) => {
  expect(placeOf(path)).toBe(place);
});

test('each new question has a key of its own', () => {
  const [first] = [newQuestion([])];
  expect(newQuestion([first ?? { key: '' }, { key: 'question3' }]).key).toBe('question4');
});

test('a frame names its form in words that stay words', () => {
  const frame = frameOf('https://desk.example/intake/pi', '"Car" & <truck>');
  const parsed = new DOMParser().parseFromString(frame, 'text/html').querySelector('iframe');
  expect([parsed?.title, parsed?.src]).toEqual([
    '"Car" & <truck>',
    'https://desk.example/intake/pi',
  ]);
});
