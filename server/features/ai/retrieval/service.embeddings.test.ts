import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aiRoutes, type Answer } from '@matterdesk/contract/ai.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { openCase, registerWith, type SignedInPerson } from '../../../testing/factories.ts';
import { plantDocument } from '../../../testing/training.ts';

const PAGES = [
  `1. Rent. The tenant shall pay $900 each month to the landlord.

2. Pets. No animals may be kept in the premises without consent.

3. Law. The laws of Oregon govern this lease and nothing else does.
`,
];
/** Words with the same vector. */
const MEANINGS = [
  ['hound', 'animals', 'pets'],
  ['rent', '$900', 'pay'],
  ['oregon', 'law', 'laws'],
];

let server: Server;
let app: TestApp;
let person: SignedInPerson;
let caseId: string;
const inputs: string[][] = [];
let isBroken = false;

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      const { input } = JSON.parse(body) as { input: string[] };
      inputs.push(input);
      response.writeHead(isBroken ? 400 : 200, { 'content-type': 'application/json' });
      const data = input.map((text, index) => ({
        object: 'embedding',
        index,
        embedding: embed(text),
      }));
      response.end(
        JSON.stringify({
          object: 'list',
          data,
          model: 'vectors',
          usage: { prompt_tokens: 1, total_tokens: 1 },
        }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const env = { OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`, EMBEDDING_MODEL: 'vectors' };
  app = await startTestApp({ env });
  person = await registerWith(app, { createCases: true });
  caseId = (await openCase(app, person.token)).id;
  await plantDocument(app, { caseId, userId: person.id, folder: 'L', name: 'l.txt', pages: PAGES });
});
afterAll(async () => {
  await app.close();
  server.close();
});

function embed(text: string): number[] {
  const words = text.toLowerCase().match(/[$\p{L}\p{N}]+/gu) ?? [];
  const last = text.trim().split('\n').at(-1) ?? '';
  const own = text.includes('\n') ? (last.toLowerCase().match(/[$\p{L}\p{N}]+/gu) ?? []) : words;
  return [0.1, ...MEANINGS.map((same) => own.filter((word) => same.includes(word)).length)];
}

type History = { question: string; answer: string }[];

async function ask(question: string, history: History = []): Promise<Answer> {
  const body = { case_id: caseId, folder: 'L', file_name: 'l.txt', question, history };
  const reply = await app.call(aiRoutes.ask, { token: person.token, body });
  expect(reply.status).toBe(200);
  return JSON.parse(reply.text) as Answer;
}

test('the retrieval finds by meaning a passage that shares no word with the question', async () => {
  const got = await ask('Is a hound allowed?');
  expect(got.citations[0]?.quote).toContain('No animals');
  // Similarity alone makes an answer only possible.
  expect(got).toMatchObject({ confidence: 'possible', found: true });
  const rows = await app.db.selectFrom('embeddings').select(['model', 'dimensions']).execute();
  expect(rows).toEqual([{ model: 'vectors', dimensions: 4 }]);
});

test('the retrieval does not report the nearest passage as possible unless it stands out', async () => {
  const got = await ask('Quibbling xylophones?');
  expect(got).toMatchObject({ confidence: 'none', found: false });
  expect(got.citations.length).toBeGreaterThan(0);
});

test('the retrieval keeps the passage first that the words call an answer', async () => {
  const near = `${'hound '.repeat(6)}${'Oregon '.repeat(5)}consent`;
  const got = await ask(`Does the tenant pay the landlord $900 rent each month? ${near}`);
  expect(got).toMatchObject({ confidence: 'answer' });
  expect(got.citations[0]?.quote).toContain('$900');
});

test('embeds a question about one file without the name of the file', async () => {
  const before = inputs.length;
  await ask('Consider the lease between Ames and Bell; is a hound allowed?');
  expect(inputs[before]).toEqual(['is a hound allowed?']);
});

test('embeds a follow-up together with the question that it refers to', async () => {
  const history = [{ question: 'Is a hound allowed?', answer: 'No.' }];
  const before = inputs.length;
  await ask('And why is that?', history);
  expect(inputs[before]).toEqual(['Is a hound allowed?\nAnd why is that?']);
});

test('embeds a document once, each passage with the beginning of the document', async () => {
  await ask('What law governs?');
  const documents = inputs.filter((input) => input.length > 1);
  expect(documents).toHaveLength(1);
  expect(documents[0]?.every((text) => text.startsWith('1. Rent. The tenant'))).toBe(true);
});

test('the retrieval ranks by words alone when the endpoint fails, and logs no text', async () => {
  isBroken = true;
  const got = await ask('What law governs?');
  isBroken = false;
  expect(got.citations[0]?.quote).toContain('Oregon');
  const warned = app.logLines().find((line) => line['msg'] === 'embedding a question');
  expect(warned).toMatchObject({ reason: 'refused' });
  expect(JSON.stringify(app.logLines())).not.toMatch(/Oregon|hound|govern/);
});
