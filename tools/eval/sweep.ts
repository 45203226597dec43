import { weights } from '@matterdesk/server/features/ai/retrieval/rules.weights.ts';

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
