import { parseArgs } from 'node:util';
import { aiRoutes } from '@matterdesk/contract/ai.ts';
import { textPdf } from '@matterdesk/server/testing/pdf.ts';
import { scannedPdf } from '@matterdesk/server/testing/scan.ts';
import { openWorkplace, placeOf, trainAll, type Workplace } from '../eval/workplace.ts';
import { contract, contractPages } from './ai-documents.ts';
import { watch, type Watched } from './ai-watch.ts';

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const PAGES = { text: 300, scan: values.quick ? 4 : 100 };
const FILES = values.quick ? 200 : 5000;
const QUESTIONS = values.quick ? 40 : 200;
const BATCH = 100;

await measure();

async function measure(): Promise<void> {
  const place = await openWorkplace();
  try {
    say(
      '| what | training | extraction and index | event-loop delay p50 / p99 / max | child, peak |',
    );
    say('| --- | --- | --- | --- | --- |');
    const text = await trainText(place);
    await trainScan(place);
    await trainCase(place);
    say('');
    say('| question | n | p50 | p95 | max |');
    say('| --- | --- | --- | --- | --- |');
    await askFile(place, text);
    await askCase(place);
    say('');
    say(await describeSizes(place));
  } finally {
    await place.close();
  }
}

function say(line: string) {
  process.stdout.write(`${line}\n`);
}

async function trainText(place: Workplace): Promise<string> {
  const bytes = textPdf(contractPages(PAGES.text, 7));
  const [url = ''] = await place.upload('Long', [
    { name: 'Long contract.pdf', bytes: blob(bytes) },
  ]);
  const { watched } = await watch(() => trainAll(place, [url]));
  row(
    `text PDF of ${PAGES.text} pages`,
    `${(PAGES.text / watched.seconds).toFixed(1)} pages/s`,
    watched,
  );
  return url;
}

async function trainScan(place: Workplace): Promise<void> {
  const pages = contractPages(PAGES.scan, 11);
  const bytes = await scannedPdf(pages);
  const [url = ''] = await place.upload('Scans', [{ name: 'Scan.pdf', bytes: blob(bytes) }]);
  const { watched } = await watch(() => trainAll(place, [url]));
  row(
    `scan of ${PAGES.scan} pages`,
    `${(PAGES.scan / watched.seconds).toFixed(1)} pages/s`,
    watched,
  );
}

async function trainCase(place: Workplace): Promise<void> {
  const urls: string[] = [];
  for (let from = 0; from < FILES; from += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, FILES - from) }, (_, at) => {
      const { name, text } = contract(from + at);
      return { name, bytes: new Blob([text]) };
    });
    urls.push(...(await place.upload('Contracts', batch)));
  }
  const { watched } = await watch(() => trainAll(place, urls));
  row(`case of ${FILES} text files`, `${(FILES / watched.seconds).toFixed(1)} files/s`, watched);
}

function blob(bytes: Buffer) {
  return new Blob([new Uint8Array(bytes)]);
}

function row(what: string, rate: string, watched: Watched): void {
  const { p50, p99, max } = watched.loopDelay;
  const cells = [
    what,
    `${watched.seconds.toFixed(1)} s`,
    rate,
    `${p50.toFixed(1)} / ${p99.toFixed(1)} / ${max.toFixed(1)} ms`,
    `${watched.childMemory.toFixed(0)} MB`,
  ];
  say(`| ${cells.join(' | ')} |`);
}

async function askFile(place: Workplace, url: string): Promise<void> {
  const { folder, name: file_name } = placeOf(url);
  const questions = Array.from({ length: QUESTIONS }, (_, at) => ({
    question: `What does it say about ${['rent', 'insurance', 'termination', 'warranty'][at % 4]} number ${at * 3 + 1}?`,
    folder,
    file_name,
  }));
  await time(place, `in a file of ${PAGES.text} pages`, questions);
  const misspelt = questions.map((one) => ({
    ...one,
    question: one.question.replace('say', 'ssay').replaceAll(/(an|at|en)/g, '$1$1'),
  }));
  await time(place, 'the same, misspelt', misspelt);
}

async function askCase(place: Workplace): Promise<void> {
  const named = Array.from({ length: QUESTIONS }, (_, at) => ({
    question: contract(Math.floor((at * FILES) / QUESTIONS)).question,
  }));
  await time(place, `in a case of ${FILES} files, a file named`, named);
  const unnamed = Array.from({ length: QUESTIONS }, (_, at) => ({
    question: `How many dollars is the liability limited to in exhibit ${(at % 90) + 1} of unit ${at}?`,
  }));
  await time(place, `in a case of ${FILES} files, none named`, unnamed);
}

type Asked = { question: string; folder?: string; file_name?: string };

/** From the request to the complete answer. */
async function time(place: Workplace, what: string, questions: Asked[]): Promise<void> {
  const times: number[] = [];
  for (const question of questions) {
    const begun = performance.now();
    await place.call(aiRoutes.ask, { body: { case_id: place.caseId, ...question } });
    times.push(performance.now() - begun);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) =>
    `${(times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(0)} ms`;
  say(`| ${what} | ${times.length} | ${at(0.5)} | ${at(0.95)} | ${at(1)} |`);
}

async function describeSizes(place: Workplace): Promise<string> {
  const sizes = await place.query(`select
    pg_total_relation_size('passages') / 1e6 as passages,
    pg_total_relation_size('document_pages') / 1e6 as pages,
    (select sum(characters) from documents) / 1e6 as characters,
    (select count(*) from passages) as count`);
  const mega = (name: string) => Number(sizes[name]).toFixed(1);
  return `Index: ${mega('passages')} MB for ${String(sizes['count'])} passages, ${mega('pages')} MB of text, of ${mega('characters')} million characters.`;
}
