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

/** A weight and the values to measure it with. */
export type Variants = { name: keyof typeof weights; values: number[] };

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
