import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileRoutes } from '@matterdesk/contract/files.ts';
import { retrievePassages } from '@matterdesk/server/features/ai/answers/service.ts';
import {
  type Benchmark,
  type Corpus,
  readBenchmarks,
  type Test,
  DEPTHS,
  type Hit,
  mean,
  placeIn,
  score,
  type Scores,
  withNearMisses,
  type Counts,
  readVariants,
  sweep,
  vary,
} from './measure.ts';
import { openWorkplace, placeOf, trainAll, type Workplace } from './workplace.ts';

const USAGE = `Usage: npm run eval:ai -- <directory with corpus/ and benchmarks/> [options]
  --misses            also each question that the first passage does not answer
  --near-misses       also each question of a copy of its file without what answers it; in-file only
  --sweep             also with each weight at half and at twice its value
  --weight name=1,2   instead with each of these values of a weight
`;
const BATCH = 50;
const MAX_DEPTH = DEPTHS.at(-1) ?? 1;

type Confidence = 'answer' | 'possible' | 'none';
type TrainedFile = { url: string; toOriginal: ReturnType<typeof placeIn> };
/** Trained files by corpus path. */
type Files = Map<string, TrainedFile>;

const { directory, options } = readArguments();
await evaluate(path.resolve(process.env['INIT_CWD'] ?? '.', directory));

function readArguments() {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: {
        misses: { type: 'boolean' },
        'near-misses': { type: 'boolean' },
        sweep: { type: 'boolean' },
        weight: { type: 'string' },
      },
    });
    const [only, ...others] = positionals;
    if (only === undefined || others.length > 0) throw new Error('One directory is required');
    const { weight, ...options } = values;
    const variants = weight === undefined ? undefined : readVariants(weight);
    return { directory: only, options: { ...options, variants } };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
    return process.exit(2);
  }
}

async function evaluate(directory: string): Promise<void> {
  const set = await readBenchmarks(directory);
  const isNear = options['near-misses'] === true;
  const { corpus, benchmarks } = isNear ? withNearMisses(set) : set;
  const place = await openWorkplace();
  try {
    const files = await fill(place, corpus);
    const measureAll = async (onLine: (line: string) => void = () => undefined) => {
      const sum = { right: 0, confident: 0, misled: 0 };
      for (const benchmark of benchmarks)
        for (const where of isNear ? (['file'] as const) : (['file', 'case'] as const)) {
          const { line, counts } = await measure(place, { benchmark, files, where });
          onLine(line);
          for (const name of ['right', 'confident', 'misled'] as const) sum[name] += counts[name];
        }
      return sum;
    };
    if (options.variants)
      for await (const line of vary(options.variants, () => measureAll(say))) say(line);
    else if (options.sweep) for await (const line of sweep(() => measureAll())) say(line);
    else await measureAll(say);
  } finally {
    await place.close();
  }
}

function say(line: string) {
  process.stdout.write(`${line}\n`);
}

/** Uploads and trains the whole corpus. */
async function fill(place: Workplace, corpus: Corpus): Promise<Files> {
  const begun = performance.now();
  const urls = new Map<string, string>();
  for (const [folder, paths] of byFolder(corpus)) {
    for (let from = 0; from < paths.length; from += BATCH) {
      const batch = paths.slice(from, from + BATCH);
      const uploads = batch.map((file) => ({
        name: path.posix.basename(file),
        bytes: new Blob([corpus.get(file) ?? '']),
      }));
      for (const [at, url] of (await place.upload(folder, uploads)).entries())
        urls.set(batch[at] ?? '', url);
    }
  }
  const failed = await trainAll(place, [...urls.values()]);
  for (const [url, reason] of failed) say(`# not trained: ${placeOf(url).name}: ${reason}`);
  const files: Files = new Map();
  for (const [file, url] of urls) {
    if (failed.has(url)) continue;
    const extracted = await readText(place, url);
    files.set(file, { url, toOriginal: placeIn(corpus.get(file) ?? '', extracted) });
  }
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  say(`# ${files.size} of ${corpus.size} files uploaded and trained in ${seconds} s`);
  return files;
}

function byFolder(corpus: Corpus): Map<string, string[]> {
  return Map.groupBy(corpus.keys(), (file) => {
    const folder = path.posix.dirname(file).replaceAll('/', ' ');
    return folder === '.' ? 'corpus' : folder;
  });
}

async function readText(place: Workplace, url: string): Promise<string> {
  const params = { caseId: place.caseId, ...placeOf(url) };
  let text = '';
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const read = await place.call(fileRoutes.readText, { params, query: { page: String(page) } });
    text += read.text;
    pages = read.pages;
  }
  return text;
}

type EvalResult = { line: string; counts: Counts };
type EvalRun = { benchmark: Benchmark; files: Files; where: 'file' | 'case' };

/** One line: recall of the gold spans, and confidence for unanswerable questions. */
async function measure(
  place: Workplace,
  { benchmark, files, where }: EvalRun,
): Promise<EvalResult> {
  const byUrl = new Map([...files].map(([file, { url }]) => [url, file]));
  const found: Scores[] = [];
  const sure: Confidence[] = [];
  const missing: Confidence[] = [];
  let milliseconds = 0;
  for (const test of benchmark.tests) {
    if (!files.has(test.file)) continue;
    const begun = performance.now();
    const { hits, confidence } = await ask(place, { test, files, byUrl, where });
    milliseconds += performance.now() - begun;
    (test.gold.length > 0 ? sure : missing).push(confidence);
    if (test.gold.length === 0) continue;
    const scores = score(hits, test.file, test.gold);
    found.push(scores);
    if (options.misses && scores.hit[0] === 0) say(describeMiss(test, scores, confidence));
  }
  const { recall, precision, hit } = mean(found);
  const called = found.filter((_, at) => sure[at] === 'answer');
  const columns = [
    `${benchmark.name} ${where === 'file' ? 'in-file' : 'case-wide'}`,
    `questions=${found.length}`,
    ...DEPTHS.map((depth, at) => `recall@${depth}=${percent(recall[at])}`),
    ...DEPTHS.map((depth, at) => `precision@${depth}=${percent(precision[at])}`),
    ...DEPTHS.map((depth, at) => `hit@${depth}=${percent(hit[at])}`),
    `answerable: ${bands(sure)}`,
    `right of answers=${percent(mean(called).hit[0])}`,
    `unanswerable=${missing.length}: ${bands(missing)}`,
    `ms=${(milliseconds / (found.length + missing.length || 1)).toFixed(1)}`,
  ];
  const counts = {
    right: found.filter((scores) => scores.hit[0] === 1).length,
    confident: sure.filter((confidence) => confidence === 'answer').length,
    misled: missing.filter((confidence) => confidence !== 'none').length,
  };
  return { line: columns.join(' '), counts };
}

function describeMiss({ query }: Test, { hit }: Scores, confidence: Confidence): string {
  const depth = DEPTHS[hit.indexOf(1)];
  return `# ${depth === undefined ? 'not found' : `within ${depth}`} (${confidence}): ${query}`;
}

type Question = { test: Test; files: Files; byUrl: Map<string, string>; where: 'file' | 'case' };

async function ask(place: Workplace, { test, files, byUrl, where }: Question) {
  const own = files.get(test.file);
  const { folder, name } = placeOf(own?.url ?? '');
  const scope = where === 'file' ? { folder, file_name: name } : {};
  const question = { case_id: place.caseId, question: test.query.slice(0, 2000), ...scope };
  const { passages, confidence } = await retrievePassages(
    { ...place.context, actor: place.actor },
    question,
    MAX_DEPTH,
  );
  const prefix = placePrefix(own?.url ?? '');
  const hits = passages.flatMap(({ source, start, end }): Hit[] => {
    const url = `${prefix}${encodeURIComponent(source.folder)}/${encodeURIComponent(source.name)}`;
    const file = byUrl.get(url);
    const trained = file === undefined ? undefined : files.get(file);
    return file && trained ? [{ file, ...trained.toOriginal({ start, end }) }] : [];
  });
  return { hits, confidence };
}

function placePrefix(url: string) {
  return url.split('/').slice(0, -2).join('/').concat('/');
}

function bands(all: readonly Confidence[]): string {
  const share = (of: Confidence) =>
    percent(all.filter((one) => one === of).length / (all.length || 1));
  return `answer=${share('answer')} possible=${share('possible')} none=${share('none')}`;
}

function percent(share = 0): string {
  return (share * 100).toFixed(1);
}
