import type { BareDatabase } from './bare-database.ts';
import { HttpClient } from './http-client.ts';
import { measure, type Load } from './load.ts';
import type { Samples } from './samples.ts';
import type { Scenario } from './scenarios.ts';

export type Comparison = {
  name: string;
  bytes: number;
  product: Samples;
  bare: Samples;
  node: Samples;
};

type Places = {
  product: { port: number; token: string };
  database: BareDatabase;
  node: { port: number };
};

/** The same load on the product, on its database alone and on a server that only replies. */
export async function compare(
  { name, request, bare }: Scenario,
  { product, database, node }: Places,
  load: Load,
): Promise<Comparison> {
  const real = new HttpClient(product.port, load.clients);
  const empty = new HttpClient(node.port, load.clients);
  try {
    const { token } = product;
    const { body } = await real.ask({ ...request(0), token });
    const bytes = body.length;
    const onProduct = await measure(load, async (n) => {
      await real.ask({ ...request(n), token });
    });
    const half = { ...load, seconds: load.seconds / 2 };
    const onDatabase = await measure(half, (n) => database.send(bare(n)));
    const onNode = await measure(half, async (n) => {
      await empty.ask({ ...request(n), path: `/${bytes}` });
    });
    return { name, bytes, product: onProduct, bare: onDatabase, node: onNode };
  } finally {
    real.close();
    empty.close();
  }
}
