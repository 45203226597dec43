// Measurements of retrieval on sets of questions.

import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';

/** A span of text in UTF-16 units, excluding its end. */
export type Span = { start: number; end: number };

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
