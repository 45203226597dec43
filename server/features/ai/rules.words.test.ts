import { expect, test } from 'vitest';
import { contentWords, readQuestion } from './rules.words.ts';

const texts = (words: { text: string }[]) => words.map(({ text }) => text);

test('keeps the words that carry meaning', () => {
  expect(contentWords('What does the agreement say about the Tenant’s late-payment fee?')).toEqual([
    'tenant',
    'late-payment',
    'fee',
  ]);
});

test('falls back on plain words when nothing else is there', () => {
  expect(texts(readQuestion('What does it say?').asked)).toEqual(['what', 'does', 'it', 'say']);
});

test('tells the document that is named from what is asked of it', () => {
  const reading = readQuestion(
    'Consider the Lease between Maple Court and Dana; may the tenant sublet?',
  );
  expect(texts(reading.naming)).toEqual(['lease', 'maple', 'court', 'dana']);
  expect(texts(reading.asked)).toEqual(['tenant', 'sublet']);
  expect(reading.names).toContain('maple');
});

test('takes the words of the last turns along when a question leans on them', () => {
  const history = [
    { question: 'Who is the guarantor?', answer: '' },
    { question: 'How much is the deposit?', answer: '' },
  ];
  expect(texts(readQuestion('When must it be returned?', history).carried)).toEqual([
    'guarantor',
    'deposit',
  ]);
  expect(
    readQuestion('Which insurance must the contractor carry during construction?', history).carried,
  ).toEqual([]);
});

test.each([
  ['Who are the parties?', true],
  ['What is the effective date?', true],
  ['When was this contract signed?', true],
  ['What is the title of this document?', true],
  ['When does the warranty end?', false],
  ['How much notice must a party give?', false],
])('%s looks at the front page: %s', (question, wants) => {
  expect(readQuestion(question).wantsFrontPage).toBe(wants);
});

test('adds words in which documents answer', () => {
  expect(texts(readQuestion('Can I have a dog?').hints)).toContain('animals');
  expect(texts(readQuestion('Is there a non-compete?').hints)).toContain('competitive');
});
