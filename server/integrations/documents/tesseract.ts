// Pictures read by an installed tesseract, each in a confined process of its own.

import type { ChildProcess } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { chmod, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import pLimit from 'p-limit';
import { type ConfinedProcess, findInnermost, cpuTimeOf } from '../confinement/confined-process.ts';
import {
  filesOf,
  findLevel,
  killGroup,
  nativeCommandAt,
  startNative,
  type NativeProgram,
} from '../confinement/levels.ts';
import type { PictureReply } from './messages.ts';
import { languageData } from './ocr.ts';

/** Bytes of address space; the largest picture that is sent takes 600 MB. */
const MAX_MEMORY_BYTES = 1536 * 1024 * 1024;
/** Characters of output; a page has about 100,000. */
const MAX_OUTPUT_BYTES = 16_000_000;
/** Failures after which a document's pictures are read without the program. */
const MAX_FAILURES = 3;
/** Lines that rise by more, across by one, are straightened first, which the program does not do. */
const MAX_SLOPE = 0.03;
/** Milliseconds between two measurements of the program's work. */
const CHECK_INTERVAL_MS = 200;

const cores = availableParallelism();
/** Shared by all documents. */
const limit = pLimit(cores);

/** The language and layout of the engine that comes with the packages, so that both read the same words. */
const ARGUMENTS = `- - --oem 1 --psm 6 -l eng -c tessedit_create_hocr=1 -c tessedit_create_txt=1
  -c page_separator=`.split(/\s+/);

type Program = Pick<NativeProgram, 'file' | 'args' | 'files' | 'variables'>;
/** Milliseconds of the processor, and of the clock, for a picture. */
type Limits = { work: number; timeoutMs: number };
/** The process whose pictures are read. */
type ReadingProcess = Pick<ConfinedProcess, 'receive' | 'reply'>;
type Outcome = { text: string } | 'askew' | 'failed';

/** Reads the pictures of one attempt at a document. */
export class PictureService {
  readonly #program: Program | undefined;
  readonly #limits: Limits;
  readonly #ended = new AbortController();
  #asked = 0;
  #failures = 0;
  /** Milliseconds of the processor. */
  worked = 0;

  private constructor(program: Program | undefined, limits: Limits) {
    this.#program = program;
    this.#limits = limits;
  }

  /** @param file the program; without one, and where it cannot be confined, every picture is read by its asker */
  static async open(file: string | undefined, limits: Limits): Promise<PictureService> {
    return new PictureService(file === undefined ? undefined : await findProgram(file), limits);
  }

  /** Pages that a document may read at a time: one is opened while each core reads another. */
  get ahead(): number {
    return this.#program ? cores + 1 : 0;
  }

  get isBusy(): boolean {
    return this.#asked > 0;
  }

  /** Takes the picture that the process announced, and answers when it is read. @throws if a process asks too much */
  async take(asker: ReadingProcess, id: number): Promise<void> {
    const image = await asker.receive();
    if (!image || this.#asked >= this.ahead) throw new RangeError('a picture too many');
    this.#asked += 1;
    void this.#read(image)
      .catch(() => null)
      .then((text) => {
        this.#asked -= 1;
        asker.reply({ id, text } satisfies PictureReply);
      });
  }

  /** Ends what is being read. */
  close(): void {
    this.#ended.abort();
  }

  #read(image: Buffer): Promise<string | null> {
    return limit(async () => {
      const program = this.#program;
      if (!program || this.#failures >= MAX_FAILURES || this.#ended.signal.aborted) return null;
      const outcome = await this.#run(program, image);
      if (outcome === 'failed') this.#failures += 1;
      return typeof outcome === 'object' ? outcome.text : null;
    });
  }

  async #run(program: Program, image: Buffer): Promise<Outcome> {
    const { work, timeoutMs } = this.#limits;
    const limits = { memory: MAX_MEMORY_BYTES, seconds: Math.ceil(work / 1000) };
    const child = await startNative({ ...program, limits });
    if (!child) return 'failed';
    const end = () => killGroup(child);
    const { signal } = this.#ended;
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
    const timer = setTimeout(end, timeoutMs);
    const stopWatching = this.#watch(child);
    try {
      return outcomeOf(await outputOf(child, image));
    } finally {
      clearTimeout(timer);
      stopWatching();
      signal.removeEventListener('abort', end);
    }
  }

  /** @returns a function that ends the watch */
  #watch({ pid }: ChildProcess): () => void {
    let counted = 0;
    const measure = async () => {
      const worked = await cpuTimeOf(await findInnermost(pid));
      this.worked += Math.max(0, worked - counted);
      counted = Math.max(counted, worked);
    };
    const timer = setInterval(() => void measure(), CHECK_INTERVAL_MS);
    return () => clearInterval(timer);
  }
}

/** Undefined where the program failed. */
function outputOf(child: ChildProcess, image: Buffer): Promise<string | undefined> {
  const parts: string[] = [];
  let length = 0;
  child.stdin?.on('error', () => undefined).end(image);
  child.stdout?.setEncoding('utf8').on('data', (part: string) => {
    length += part.length;
    if (length > MAX_OUTPUT_BYTES) killGroup(child);
    else parts.push(part);
  });
  return new Promise((resolve) => {
    child.once('error', () => resolve(undefined));
    child.once('close', (code) => resolve(code === 0 ? parts.join('') : undefined));
  });
}

/** The text is between the description of the page, in which signs of markup are escaped, and the end of the whole. */
const PAGE_END = '\n  </div>\n';
const END = ' </body>\n</html>\n';

function outcomeOf(output = ''): Outcome {
  const end = output.indexOf(PAGE_END);
  const lines = output.slice(0, Math.max(0, end));
  if (!lines.includes("class='ocr_page'") || !output.endsWith(END)) return 'failed';
  const slopes = Array.from(lines.matchAll(/baseline (-?\d+(?:\.\d+)?) /g), ([, slope]) =>
    Number(slope),
  ).toSorted((a, b) => a - b);
  const middle = slopes[Math.floor(slopes.length / 2)] ?? 0;
  if (Math.abs(middle) > MAX_SLOPE) return 'askew';
  return { text: output.slice(end + PAGE_END.length, -END.length) };
}

const found = new Map<string, Promise<string[] | undefined>>();

/** Undefined for a program that cannot be confined, or whose libraries cannot be found. */
async function findProgram(file: string): Promise<Program | undefined> {
  const files = found.get(file) ?? filesOf(file).catch(() => undefined);
  found.set(file, files);
  const own = await files;
  if (!own) return undefined;
  const data = await unpackData().catch(() => undefined);
  if (data === undefined) return undefined;
  const args = [...ARGUMENTS, '--tessdata-dir', path.dirname(data)];
  // Pages are read side by side instead.
  const program = { file, args, files: [...own, data], variables: { OMP_THREAD_LIMIT: '1' } };
  const limits = { memory: 0, seconds: 0 };
  return nativeCommandAt(await findLevel(), { ...program, limits }) && program;
}

let unpacked: Promise<string> | undefined;

/** The language data as the program takes it; once more where someone cleared the temporary files. */
async function unpackData(): Promise<string> {
  const file = await unpacked?.catch(() => undefined);
  if (file === undefined || !existsSync(file)) unpacked = unpack();
  return unpacked as Promise<string>;
}

async function unpack(): Promise<string> {
  const packed = await readFile(path.join(languageData(), 'eng.traineddata.gz'));
  const directory = await mkdtemp(path.join(tmpdir(), 'matterdesk-language-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  const file = path.join(directory, 'eng.traineddata');
  await writeFile(file, await promisify(gunzip)(packed));
  // The program may run as another user.
  await chmod(directory, 0o755);
  return file;
}
