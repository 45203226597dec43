import { inRounds } from './comparison.ts';
import type { Firm } from './firm.ts';
import { HttpClient } from './http-client.ts';
import type { Load } from './load.ts';
import type { Samples } from './samples.ts';
import { readingScenarios } from './scenarios.ts';
import { signInAdmins } from './sign-in.ts';
import { writingScenarios } from './writing.ts';

/** The same request at the two sizes, measured in turns. */
export type Growth = { name: string; small: Samples; large: Samples };

/** How much the load's milliseconds grow with the number of cases. */
export async function measureGrowth(small: Firm, large: Firm, load: Load): Promise<Growth[]> {
  const before = await callsOf(small, load);
  const after = await callsOf(large, load);
  const grown: Growth[] = [];
  for (const [index, { name, call }] of before.calls.entries()) {
    const larger = after.calls[index]?.call ?? call;
    const [less, more] = await inRounds(load, [
      { share: 2, call },
      { share: 2, call: larger },
    ]);
    grown.push({ name, small: less, large: more });
  }
  before.client.close();
  after.client.close();
  return grown;
}

async function callsOf({ product, database }: Firm, { clients }: Load) {
  const client = new HttpClient(product.port, clients, await signInAdmins(product.port, clients));
  const all = [...(await readingScenarios(database)), ...(await writingScenarios(database))];
  const calls = all.map(({ name, request }) => {
    let n = 0;
    return { name, call: () => client.ask(request((n += 1))) };
  });
  return { client, calls };
}
