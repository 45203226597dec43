import path from 'node:path';
import type { Benchmark, Corpus, Span } from './benchmark.ts';

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
