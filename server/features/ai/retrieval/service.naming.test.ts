import { beforeAll, expect, test } from 'vitest';
import { suite } from '../../../testing/app.ts';
import { openCase, registerWith } from '../../../testing/factories.ts';
import { plantDocument } from '../../../testing/training.ts';
import { readQuestion } from './rules.words.ts';
import { retrieve } from './service.ts';

const PARTIES = 'Birch Global Investments Inc. and Mount Knowledge Holdings Inc.';
const NAME = `the Marketing Affiliate Agreement between ${PARTIES}`;
const QUESTIONS = [
  'What is the expiration date?',
  'What may Birch charge for marketing?',
  'Who insures the goods?',
];

/** Its first page holds every word that names it. */
const pagesOf = (title: string, parties: string) => [
  [
    `${title} by and between ${parties}, each a party to this ${title}.`,
    `${parties} wish to work together in marketing, investments and knowledge.`,
    'Goods. The carrier insures the goods while they travel, at its own cost.',
    `Fees. Each of ${parties} may charge two percent of the sales that its marketing brings.`,
    'Duration. This arrangement expires on the third anniversary of its beginning unless it is renewed.',
    'Law. The laws of Nevada govern.',
  ].join('\n\n'),
];

const { app } = suite({});
let caseId: string;

beforeAll(async () => {
  const { id: userId, token } = await registerWith(app, { createCases: true });
  caseId = (await openCase(app, token)).id;
  const own = { caseId, userId, folder: 'F' };
  const marketing = pagesOf('Marketing Affiliate Agreement', PARTIES);
  await plantDocument(app, { ...own, name: 'ex-10.txt', pages: marketing });
  // The same parties also have other agreements, so that their names are common in the matter.
  for (const title of ['Reseller Agreement', 'Consulting Agreement'])
    await plantDocument(app, { ...own, name: `${title}.txt`, pages: pagesOf(title, PARTIES) });
});

async function rank(question: string, file?: string) {
  const scope = { caseId, ...(file !== undefined && { folder: 'F', file_name: file }) };
  const search = { scope, parsedQuestion: readQuestion(question), limit: 8 };
  const { passages, confidence } = await retrieve(app.db, search);
  return { order: passages.map((passage) => passage.id), confidence };
}

test.each(QUESTIONS)(
  'the retrieval ranks the passages for "%s" alike where the document is named',
  async (question) => {
    const plain = await rank(question, 'ex-10.txt');
    const named = `Consider ${NAME}; ${question}`;
    expect(await rank(named, 'ex-10.txt')).toEqual(plain);
    expect(await rank(named)).toEqual(plain);
  },
);
