import { parseArgs } from 'node:util';
import type { FirmSize } from './seeded-data.ts';

export type BenchOptions = FirmSize & {
  clients: number;
  sockets: number;
  /** MiB of the uploaded file. */
  upload: number;
  /** Seconds per load measurement of the product. */
  seconds: number;
  /** Whether the findings become the last measurement. */
  isAccepted: boolean;
  /** A part of the names of the scenarios to measure; undefined for all, and all else. */
  only: string | undefined;
};

const USAGE = 'npm run bench takes --cases <number>, --quick, --only <part of a name> and --accept';

/** @throws Error with a one-line usage */
export function readBenchOptions(args: string[]): BenchOptions {
  const { cases: text, quick = false, accept: isAccepted = false, only } = parse(args);
  const cases = Number(text ?? (quick ? 5000 : 100_000));
  if (!Number.isInteger(cases) || cases < 1000 || cases > 1_000_000)
    throw new Error('--cases takes a whole number from 1000 to 1000000');
  if ((quick || only !== undefined) && isAccepted)
    throw new Error('--accept needs a whole run, without --quick and --only');
  return {
    ...firmOf(cases),
    clients: 50,
    sockets: quick ? 1000 : 10_000,
    upload: quick ? 64 : 1024,
    seconds: quick ? 1.5 : 6,
    isAccepted,
    only,
  };
}

export function firmOf(cases: number): FirmSize {
  return { cases, users: Math.min(10_000, Math.ceil(cases / 200)), tasks: cases * 2 };
}

function parse(args: string[]) {
  const options = {
    cases: { type: 'string' },
    quick: { type: 'boolean' },
    accept: { type: 'boolean' },
    only: { type: 'string' },
  } as const;
  try {
    return parseArgs({ args, options, strict: true }).values;
  } catch {
    throw new Error(USAGE);
  }
}
