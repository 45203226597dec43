import { merge, type Span } from './benchmark.ts';

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
