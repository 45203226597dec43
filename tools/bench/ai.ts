import { readdir, readFile } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { aiRoutes } from '@matterdesk/contract/ai.ts';
import { textPdf, scannedPdf } from '@matterdesk/server/testing/papers.ts';
import { openWorkplace, placeOf, trainAll, type Workplace } from '../eval/workplace.ts';

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const PAGES = { text: 300, scan: values.quick ? 4 : 100 };
const FILES = values.quick ? 200 : 5000;
const QUESTIONS = values.quick ? 40 : 200;
const BATCH = 100;

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

function row(what: string, rate: string, watched: MemoryWatch): void {
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

type QuestionBody = { question: string; folder?: string; file_name?: string };

/** From the request to the complete answer. */
async function time(place: Workplace, what: string, questions: QuestionBody[]): Promise<void> {
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

type MemoryWatch = {
  seconds: number;
  /** Milliseconds. */
  loopDelay: { p50: number; p99: number; max: number };
  /** Peak MB of the largest child process that read a document. */
  childMemory: number;
};

const EVERY_MS = 50;

/** Measures this process and its children during the work. */
async function watch<T>(work: () => Promise<T>): Promise<{ value: T; watched: MemoryWatch }> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  let childMemory = 0;
  let sampling = Promise.resolve();
  const timer = setInterval(() => {
    sampling = sampling.then(async () => {
      childMemory = Math.max(childMemory, await largestChild());
    });
  }, EVERY_MS);
  delay.enable();
  const begun = performance.now();
  try {
    const value = await work();
    const seconds = (performance.now() - begun) / 1000;
    delay.disable();
    const ms = (nanoseconds: number) => nanoseconds / 1e6;
    const loopDelay = {
      p50: ms(delay.percentile(50)),
      p99: ms(delay.percentile(99)),
      max: ms(delay.max),
    };
    return { value, watched: { seconds, loopDelay, childMemory } };
  } finally {
    clearInterval(timer);
    await sampling;
  }
}

/** Peak MB of the largest Node child process. */
async function largestChild(): Promise<number> {
  const tasks = await readdir('/proc/self/task').catch(() => []);
  const peaks: number[] = [];
  for (const task of tasks) {
    const children = await readFile(`/proc/self/task/${task}/children`, 'utf8').catch(() => '');
    for (const pid of children.split(' ').filter(Boolean)) peaks.push(await peakOf(pid));
  }
  return Math.max(0, ...peaks);
}

async function peakOf(pid: string): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  if (!/^Name:\s*(node|MainThread)/m.test(status)) return 0;
  return Number(/^VmHWM:\s*(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
}

// Measurements of speed and memory.

const TOPICS = [
  ['Rent', 'rent', 'the tenant shall pay', 'dollars on the first day of each month'],
  [
    'Insurance',
    'insurance',
    'the contractor shall carry coverage of',
    'dollars for each occurrence',
  ],
  [
    'Termination',
    'termination',
    'either party may end this agreement on',
    'days of written notice',
  ],
  ['Confidentiality', 'secrets', 'the recipient shall keep secret for', 'months what it learns'],
  ['Warranty', 'warranty', 'the seller shall repair defects reported within', 'days of delivery'],
  ['Liability', 'liability', 'the liability of either party shall not exceed', 'dollars in a year'],
  ['Delivery', 'delivery', 'the carrier shall deliver the goods within', 'days after the order'],
  ['Audit', 'audit', 'the client may inspect the books on', 'days of notice'],
] as const;

const NAMES = 'Harrow Pine Quill Castel Lumen Meadow Tide Ferry Oak Birch Stone Vale'.split(' ');
const KINDS = 'Lease Supply License Consulting Purchase Service Loan Agency'.split(' ');

/** Deterministic, the same in every run. */
function sequence(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * below);
  };
}

/** A contract clause, wrapped at 95 characters. */
function clause(number: number, next: (below: number) => number): string[] {
  const [title, word, says, ends] = TOPICS[next(TOPICS.length)] ?? TOPICS[0];
  const sentences = [
    `${number}.1 As to ${word} number ${number}, ${says} ${next(9000) + 100} ${ends}.`,
    `${number}.2 Exhibit ${next(90) + 1} describes the ${word} of unit ${next(500)} in greater detail, and prevails.`,
    `${number}.3 Notices under this article reach party ${next(40) + 1} at its address of record by certified mail.`,
  ];
  return [`${number}. ${title}`, ...sentences.flatMap(wrap), ''];
}

function wrap(sentence: string): string[] {
  return sentence.match(/.{1,94}(?:\s|$)/g)?.map((line) => line.trimEnd()) ?? [];
}

/** Pages of a long contract as lists of lines. */
function contractPages(pages: number, seed: number): string[][] {
  const next = sequence(seed);
  let number = 0;
  return Array.from({ length: pages }, () => {
    const lines: string[] = [];
    while (lines.length < 40) lines.push(...clause((number += 1), next));
    return lines;
  });
}

type Contract = { name: string; text: string; question: string };

/** A contract of the case, with a question that names it. */
function contract(at: number): Contract {
  const next = sequence(at + 1);
  const name = (offset: number) =>
    `${NAMES[(at + offset) % NAMES.length]}${NAMES[Math.floor(at / NAMES.length) % NAMES.length]?.toLowerCase()} ${at}`;
  const kind = KINDS[at % KINDS.length] ?? 'Service';
  const [first, second] = [name(0), name(5)];
  const head = `${kind.toUpperCase()} AGREEMENT\n\nThis ${kind} Agreement is made between ${first} LLC and ${second} Inc.`;
  const clauses = Array.from({ length: 24 }, (_, number) => clause(number + 1, next).join('\n'));
  return {
    name: `${kind} Agreement ${first}.txt`,
    text: `${head}\n\n${clauses.join('\n')}`,
    question: `Consider the ${kind} Agreement between ${first} and ${second}; how many days of notice end it?`,
  };
}

await measure();
