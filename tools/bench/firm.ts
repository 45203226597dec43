import fs from 'node:fs';
import { BareDatabase } from './bare-database.ts';
import { startProduct, type Product } from './product.ts';
import { prepareData, type FirmSize } from './seeded-data.ts';

/** The product over seeded data, and its database without it. */
export type Firm = { product: Product; database: BareDatabase };

/** Lends a copy of seeded data. */
export async function withData<Result>(
  size: FirmSize,
  onSeed: () => void,
  work: (dataDir: string) => Promise<Result>,
): Promise<Result> {
  const dataDir = await prepareData(size, onSeed);
  try {
    return await work(dataDir);
  } finally {
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Runs the product meanwhile. */
export async function withFirm<Result>(
  dataDir: string,
  work: (firm: Firm) => Promise<Result>,
  env: NodeJS.ProcessEnv = {},
): Promise<Result> {
  const product = await startProduct(dataDir, env);
  try {
    const database = new BareDatabase(dataDir);
    try {
      return await work({ product, database });
    } finally {
      await database.close();
    }
  } finally {
    await product.stop();
  }
}
