import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import { weights } from '@matterdesk/server/features/ai/retrieval/rules.weights.ts';

export const DEPTHS = [1, 2, 4, 8, 16, 32, 64];

/** A retrieved passage; `file` is its corpus path. */
export type Hit = Span & { file: string };
export type Scores = { recall: number[]; precision: number[]; hit: number[] };

/** Recall and precision of the first k passages, and whether any of them hits the gold. */
export function score(hits: readonly Hit[], file: string, gold: readonly Span[]): Scores {
  const total = sum(gold.map(lengthOf));
  const scores: Scores = { recall: [], precision: [], hit: [] };
  for (const depth of DEPTHS) {
    const first = hits.slice(0, depth);
    const own = merge(first.filter((hit) => hit.file === file));
    const met = sum(gold.flatMap((want) => own.map((got) => overlap(want, got))));
    scores.recall.push(total === 0 ? 0 : met / total);
    scores.precision.push(first.length === 0 ? 0 : met / sum(first.map(lengthOf)));
    scores.hit.push(met > 0 ? 1 : 0);
  }
  return scores;
}

export function mean(all: readonly Scores[]): Scores {
  const average = (of: keyof Scores) =>
    DEPTHS.map((_, at) => sum(all.map((scores) => scores[of][at] ?? 0)) / (all.length || 1));
  return { recall: average('recall'), precision: average('precision'), hit: average('hit') };
}

function lengthOf({ start, end }: Span) {
  return end - start;
}

function overlap(a: Span, b: Span) {
  return Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));
}

function sum(values: readonly number[]) {
  return values.reduce((total, value) => total + value, 0);
}

/**
 * Maps spans of extracted text to the original, which may differ in whitespace.
 * @returns spans in units of `original`
 */
export function placeIn(original: string, extracted: string): (span: Span) => Span {
  if (original === extracted) return (span) => span;
  const counted = signsBefore(extracted);
  const positions = Uint32Array.from(signs(original));
  const at = (offset: number) => positions[counted[offset] ?? 0] ?? original.length;
  return ({ start, end }) => ({ start: at(start), end: at(end) });
}

function* signs(text: string) {
  for (let at = 0; at < text.length; at += 1) if (!isBlank(text, at)) yield at;
}

/** Count of non-blank characters before each offset. */
function signsBefore(text: string): Uint32Array {
  const counted = new Uint32Array(text.length + 1);
  for (let at = 0; at < text.length; at += 1)
    counted[at + 1] = (counted[at] ?? 0) + (isBlank(text, at) ? 0 : 1);
  return counted;
}

/** Characters that extraction drops or moves: whitespace and controls. */
function isBlank(text: string, at: number) {
  const code = text.charCodeAt(at);
  if (code <= 0xa0) return code <= 32 || code >= 0x7f;
  return code === 0xad || (code >= 0x1680 && /\s/.test(text.charAt(at)));
}

// Measurements of retrieval on sets of questions.

/** A span of text in UTF-16 units, excluding its end. */
type Span = { start: number; end: number };

/** A question and the spans that answer it; none if the file doesn't. */
export type Test = { query: string; file: string; gold: Span[] };
export type Benchmark = { name: string; tests: Test[] };
/** Texts by path below `corpus/`, with the benchmark's line ends of one character. */
export type Corpus = Map<string, string>;

const SnippetSchema = z.object({
  file_path: z.string(),
  /** In code points. */
  span: z.tuple([z.number(), z.number()]),
});
const BenchmarkSchema = z.object({
  tests: z.array(
    z.object({
      query: z.string(),
      snippets: z.array(SnippetSchema),
      file_path: z.optional(z.string()),
    }),
  ),
});

/** Reads the LegalBench-RAG layout: `corpus/…txt` and `benchmarks/*.json`. */
export async function readBenchmarks(directory: string) {
  const corpus: Corpus = new Map();
  const root = path.join(directory, 'corpus');
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.txt')) continue;
    const file = path.relative(root, path.join(entry.parentPath, entry.name));
    const text = await readFile(path.join(root, file), 'utf8');
    corpus.set(file.split(path.sep).join('/'), text.replaceAll(/\r\n?/g, '\n'));
  }
  const folder = path.join(directory, 'benchmarks');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).toSorted();
  const benchmarks: Benchmark[] = [];
  for (const name of names) {
    const { tests } = BenchmarkSchema.parse(
      JSON.parse(await readFile(path.join(folder, name), 'utf8')),
    );
    benchmarks.push({
      name: path.basename(name, '.json'),
      tests: tests.flatMap((test) => toTest(test, corpus) ?? []),
    });
  }
  return { corpus, benchmarks };
}

type RawTest = z.infer<typeof BenchmarkSchema>['tests'][number];

/** Undefined when the corpus lacks the file. */
function toTest({ query, snippets, file_path }: RawTest, corpus: Corpus): Test | undefined {
  const file = file_path ?? snippets[0]?.file_path;
  const text = file === undefined ? undefined : corpus.get(file);
  if (file === undefined || text === undefined) return undefined;
  const own = snippets.filter((snippet) => snippet.file_path === file);
  const gold = own.map(({ span: [from, to] }) => ({
    start: unitsOf(text, from),
    end: unitsOf(text, to),
  }));
  return { query, file, gold: merge(gold) };
}

/** Converts code points to UTF-16 units. */
export function unitsOf(text: string, codePoints: number): number {
  // Most texts have no surrogate pairs.
  if (!/[\ud800-\udbff]/.test(text)) return Math.min(codePoints, text.length);
  let units = 0;
  for (let left = codePoints; left > 0 && units < text.length; left -= 1)
    units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1;
  return units;
}

/** Sorted, without overlaps. */
export function merge(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else if (end > start) merged.push({ start, end });
  }
  return merged;
}

type Benchmarks = { corpus: Corpus; benchmarks: Benchmark[] };

/**
 * Adds to each set the same questions without an answer: each is asked of a copy of its file without the paragraphs that
 * answer it, so that what the file says on the same subject remains.
 */
export function withNearMisses({ corpus, benchmarks }: Benchmarks): Benchmarks {
  const copies: Corpus = new Map();
  const missing = benchmarks.map(({ name, tests }): Benchmark => {
    const answerable = tests.filter((test) => test.gold.length > 0);
    return {
      name: `${name} near misses`,
      tests: answerable.map(({ query, file, gold }, at) => {
        const { dir, name: base } = path.posix.parse(file);
        const copy = path.posix.join(dir, `${name} near misses`, `${base} ${at + 1}.txt`);
        copies.set(copy, withoutParagraphs(corpus.get(file) ?? '', gold));
        return { query, file: copy, gold: [] };
      }),
    };
  });
  return { corpus: new Map([...corpus, ...copies]), benchmarks: [...benchmarks, ...missing] };
}

/** The text without the paragraphs that overlap the given spans. */
export function withoutParagraphs(text: string, spans: readonly Span[]): string {
  let start = 0;
  const kept = text.split(/(\n[ \t]*(?:\n[ \t]*)+)/).filter((part) => {
    const [from, end] = [start, start + part.length];
    start = end;
    return !spans.some((span) => span.start < end && from < span.end);
  });
  return kept.join('');
}

/** Numbers of questions: `right` by the first passage, `confident` of those with an answer, `misled` of the others. */
export type Counts = { right: number; confident: number; misled: number };

/**
 * Measures with each weight at half and at twice its value.
 * @yields a line for each: how many questions more or fewer
 */
export async function* sweep(measure: () => Promise<Counts>): AsyncGenerator<string> {
  const usual = await measure();
  yield `as they are: ${Object.entries(usual).join(' ').replaceAll(',', ' ')}`;
  for (const [name, value] of Object.entries(weights)) {
    for (const factor of [0.5, 2]) {
      const other =
        Number.isInteger(value) && value > 1 ? Math.round(value * factor) : value * factor;
      Object.assign(weights, { [name]: other });
      const change = await measure().then(
        (counts) => differences(usual, counts),
        // Not every value is one that the database takes.
        (error: unknown) => String(error),
      );
      yield `${name} ${value} → ${other}: ${change}`;
    }
    Object.assign(weights, { [name]: value });
  }
}

function differences(usual: Counts, counts: Counts): string {
  const names = ['right', 'confident', 'misled'] as const;
  const changed = names.filter((name) => counts[name] !== usual[name]);
  const signed = (count: number) => (count > 0 ? `+${count}` : `−${-count}`);
  return (
    changed.map((name) => `${name} ${signed(counts[name] - usual[name])}`).join(', ') || 'the same'
  );
}

/** A weight and the values to measure it with. */
type Variants = { name: keyof typeof weights; values: number[] };

/** @param text such as `standsOut=0.2,0.3` @throws Error when it names no weight or no values */
export function readVariants(text: string): Variants {
  const [given = '', list = ''] = text.split('=');
  const name = Object.keys(weights).find((key) => key === given) as Variants['name'] | undefined;
  if (name === undefined) throw new Error(`Unknown weight: ${given}`);
  const values = list.split(',').map((value) => (value.trim() === '' ? NaN : Number(value)));
  if (values.some(Number.isNaN)) throw new Error(`Not a list of numbers: ${list}`);
  return { name, values };
}

/**
 * Measures with each value of a weight.
 * @yields a line after each
 */
export async function* vary(
  { name, values }: Variants,
  measure: () => Promise<Counts>,
): AsyncGenerator<string> {
  const usual = weights[name];
  for (const value of values) {
    Object.assign(weights, { [name]: value });
    const counts = await measure();
    yield `${name} ${value}: ${Object.entries(counts).join(' ').replaceAll(',', ' ')}`;
  }
  Object.assign(weights, { [name]: usual });
}
