import { parentPort } from 'node:worker_threads';
import type { Errand, Finding, Near } from './similarity.ts';

const kept = new Map<string, { vectors: Float32Array; dimensions: number }>();

parentPort?.on('message', (errand: Errand) => {
  if ('keep' in errand) {
    const { vectors, dimensions } = errand;
    // A copy, since the bytes may be misaligned for float32.
    kept.set(errand.keep, { vectors: new Float32Array(vectors.slice().buffer), dimensions });
  } else if ('drop' in errand) kept.delete(errand.drop);
  else {
    const near = errand.keys.flatMap((key) => compare(errand.query, key));
    near.sort((a, b) => b.score - a.score);
    const usual = near.reduce((sum, one) => sum + one.score, 0) / (near.length || 1);
    const finding: Finding = { ask: errand.ask, near: near.slice(0, errand.limit), usual };
    parentPort?.postMessage(finding, []);
  }
});

function compare(query: Float32Array, key: string): Near[] {
  const { vectors, dimensions } = kept.get(key) ?? { vectors: new Float32Array(), dimensions: 1 };
  if (dimensions !== query.length) return [];
  const near: Near[] = [];
  for (let ordinal = 0; ordinal * dimensions < vectors.length; ordinal += 1) {
    let score = 0;
    const from = ordinal * dimensions;
    for (let at = 0; at < dimensions; at += 1)
      score += (query[at] ?? 0) * (vectors[from + at] ?? 0);
    near.push({ key, ordinal, score });
  }
  return near;
}
