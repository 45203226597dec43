import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import type { Worker } from 'tesseract.js';

const require = createRequire(import.meta.url);

/** Parallel images. Each takes a core and 150 MB. */
export const LANES = Math.min(2, os.availableParallelism());

type Lane = { worker: Promise<Worker>; reading: number };

/** OCR with bundled language data, so that nothing is downloaded. */
export class PictureReader {
  readonly #lanes: Lane[] = [];

  /** @param image PNG or JPEG */
  async read(image: Buffer): Promise<string> {
    const lane = this.#freest();
    lane.reading += 1;
    try {
      const worker = await lane.worker;
      const { data } = await worker.recognize(image, { rotateAuto: true });
      return data.text;
    } finally {
      lane.reading -= 1;
    }
  }

  async close(): Promise<void> {
    for (const { worker } of this.#lanes) await (await worker).terminate();
  }

  #freest(): Lane {
    const [freest] = this.#lanes.toSorted((one, other) => one.reading - other.reading);
    if (freest && (freest.reading === 0 || this.#lanes.length === LANES)) return freest;
    const lane = { worker: start(), reading: 0 };
    this.#lanes.push(lane);
    return lane;
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
