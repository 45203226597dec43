import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { measureFirstPage, type FirstPage } from './first-page.ts';
import { startProduct } from './product.ts';

/** Milliseconds of the start in an empty directory, and the first page while nothing else runs. */
export async function measureFirstStart(): Promise<{ empty: number; firstPage: FirstPage }> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'matterdesk-bench-empty-'));
  try {
    const product = await startProduct(dataDir);
    try {
      return { empty: product.startedIn, firstPage: await measureFirstPage(product.port) };
    } finally {
      await product.stop();
    }
  } finally {
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
}
