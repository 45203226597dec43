import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);

/** Texts of pictures to remember: letterheads and blank forms repeat in a document. */
const MAX_REMEMBERED = 200;

/** A picture by its content, and how to encode it as PNG, JPEG or portable gray map. */
export type Picture = { content: Uint8Array; encode: () => Buffer };

type Reply = { status: 'resolve' | 'reject' | 'progress'; data: unknown };
/** The part of tesseract.js that its threads run, as its own thread starts it. */
type Engine = {
  setAdapter: (adapter: object) => void;
  dispatchHandlers: (
    packet: { workerId: string; jobId: string; action: string; payload: object },
    reply: (reply: Reply) => void,
  ) => void;
};

/** Reads a picture in another process; null where that does not work. */
type ReadOutside = (image: Buffer) => Promise<string | null>;

/** OCR with bundled language data, so that nothing is downloaded. */
export class PictureReader {
  readonly #outside: ReadOutside | undefined;
  #engine: Promise<Engine> | undefined;
  /** Texts by content, the oldest first. */
  readonly #remembered = new Map<string, Promise<string>>();

  constructor(outside?: ReadOutside) {
    this.#outside = outside;
  }

  read({ content, encode }: Picture): Promise<string> {
    const key = createHash('sha256').update(content).digest('base64');
    const known = this.#remembered.get(key);
    if (known !== undefined) return known;
    const text = this.#recognize(encode());
    text.catch(() => this.#remembered.delete(key));
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size >= MAX_REMEMBERED && oldest) this.#remembered.delete(oldest);
    this.#remembered.set(key, text);
    return text;
  }

  async #recognize(image: Buffer): Promise<string> {
    const found = await this.#outside?.(image);
    if (typeof found === 'string') return found;
    this.#engine ??= start();
    const payload = { image, options: { rotateAuto: true }, output: { text: true } };
    const { text } = (await ask(await this.#engine, 'recognize', payload)) as { text: string };
    return text;
  }
}

/** The folder of the language data, which is compressed. */
export function languageData(): string {
  const data = path.dirname(require.resolve('@tesseract.js-data/eng/package.json'));
  return path.join(data, '4.0.0_best_int');
}

/**
 * Runs the engine in this thread: a thread of Node has none of the permissions taken away that its process lacks, so
 * that a process which may start threads may do anything.
 */
async function start(): Promise<Engine> {
  const engine = require('tesseract.js/src/worker-script/index.js') as Engine;
  engine.setAdapter({
    ...(require('tesseract.js/src/worker-script/node/cache.js') as object),
    getCore: require('tesseract.js/src/worker-script/node/getCore.js') as unknown,
    gunzip: require('tesseract.js/src/worker-script/node/gunzip.js') as unknown,
  });
  const langPath = languageData();
  const lstmOnly = true;
  await ask(engine, 'load', { options: { lstmOnly, logging: false } });
  const options = { langPath, gzip: true, cacheMethod: 'none', lstmOnly };
  await ask(engine, 'loadLanguage', { langs: 'eng', options });
  await ask(engine, 'initialize', { langs: 'eng', oem: 1 });
  return engine;
}

function ask(engine: Engine, action: string, payload: object): Promise<unknown> {
  return new Promise((resolve, reject) => {
    engine.dispatchHandlers({ workerId: 'own', jobId: action, action, payload }, (reply) => {
      if (reply.status === 'resolve') resolve(reply.data);
      if (reply.status === 'reject') reject(new Error(String(reply.data)));
    });
  });
}
