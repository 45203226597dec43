import { createRequire } from 'node:module';
import path from 'node:path';
import type { Worker } from 'tesseract.js';

const require = createRequire(import.meta.url);

/** Reads pictures. The language data is a package of ours, so nothing is fetched. */
export class PictureReader {
  #worker: Promise<Worker> | undefined;

  /** @param image PNG or JPEG */
  async read(image: Buffer): Promise<string> {
    this.#worker ??= start();
    const worker = await this.#worker;
    const { data } = await worker.recognize(image, { rotateAuto: true });
    return data.text;
  }

  async close(): Promise<void> {
    await (await this.#worker)?.terminate();
  }
}

async function start(): Promise<Worker> {
  const { createWorker } = await import('tesseract.js');
  const data = path.dirname(require.resolve('@tesseract.js-data/eng/package.json'));
  return createWorker('eng', 1, {
    langPath: path.join(data, '4.0.0_best_int'),
    gzip: true,
    cacheMethod: 'none',
    errorHandler: () => undefined,
  });
}
