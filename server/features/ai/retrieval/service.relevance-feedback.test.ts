import { beforeAll, expect, test } from 'vitest';
import { suite } from '../../../testing/app.ts';
import { openCase, registerWith } from '../../../testing/factories.ts';
import { plantDocument } from '../../../testing/training.ts';
import { rankWithFeedback } from './service.ts';
import { listPassages, rankPassages } from './store.passages.ts';

const FILLING = Array.from(
  { length: 12 },
  (_, at) => `Schedule ${at} lists the furniture of room ${at} and who painted it.`,
);
const PAGES = [
  [
    ...FILLING.slice(0, 6),
    'Termination. Either side ends the arrangement by ninety days of written notice to the administrator.',
    ...FILLING.slice(6),
    'A side that wants to leave gives the administrator ninety days, in written form.',
  ].join('\n\n'),
];

const { app } = suite({});
let documentId: string;

beforeAll(async () => {
  const { id: userId, token } = await registerWith(app, { createCases: true });
  const { id: caseId } = await openCase(app, token);
  documentId = await plantDocument(app, {
    caseId,
    userId,
    folder: 'F',
    name: 'f.txt',
    pages: PAGES,
  });
});

test('the retrieval finds answers in other words, below those in the words of the question', async () => {
  const terms = [{ lexeme: 'termin', weight: 1, asked: ['termination'], isMeant: true }];
  const options = { terms, limit: 8, frontPage: 0 };
  const boosts = new Map([[documentId, 0]]);
  const all = await listPassages(app.db, documentId);
  const last = all?.at(-1)?.id;
  const once = await rankPassages(app.db, boosts, options);
  const twice = await rankWithFeedback(app.db, boosts, options);
  expect(once.rows.map((row) => row.id)).not.toContain(last);
  expect(twice.rows.map((row) => row.id).indexOf(last ?? 0)).toBeLessThan(5);
  expect(twice.rows.slice(0, 3)).toEqual(once.rows.slice(0, 3));
  expect(twice.rows).toHaveLength(8);
  // It contains no word of the question, so its score makes no answer.
  expect(twice.rows.find((row) => row.id === last)?.score).toBe(0);
  expect(twice.frequencies).toEqual(once.frequencies);
});
