import { merge, type Span } from './benchmark.ts';

export const DEPTHS = [1, 2, 4, 8, 16, 32, 64];

/** A passage that was found; `file` is its path in the corpus. */
export type Hit = Span & { file: string };
export type Scores = { recall: number[]; precision: number[]; hit: number[] };

/** How much of the gold the first k passages hold, how much of them is gold, and whether they meet it at all. */
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
 * Where places of an extracted text stand in the text it was made of: the two may differ in their blanks.
 * @returns places in units of `original`
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

/** For each offset how many signs that are no blanks stand before it. */
function signsBefore(text: string): Uint32Array {
  const counted = new Uint32Array(text.length + 1);
  for (let at = 0; at < text.length; at += 1)
    counted[at + 1] = (counted[at] ?? 0) + (isBlank(text, at) ? 0 : 1);
  return counted;
}

/** What the product leaves out or puts elsewhere: blanks of all kinds, and controls. */
function isBlank(text: string, at: number) {
  const code = text.charCodeAt(at);
  if (code <= 0xa0) return code <= 32 || code >= 0x7f;
  return code === 0xad || (code >= 0x1680 && /\s/.test(text.charAt(at)));
}
