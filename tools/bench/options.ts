import { parseArgs } from 'node:util';

export type BenchOptions = {
  cases: number;
  users: number;
  tasks: number;
  clients: number;
  /** Seconds per load measurement. */
  seconds: number;
};

const USAGE = 'npm run bench takes --cases <number> and --quick';

/** @throws Error with a one-line usage */
export function readBenchOptions(args: string[]): BenchOptions {
  const { cases: text, quick } = parse(args);
  const cases = Number(text ?? (quick ? 5000 : 100_000));
  if (!Number.isInteger(cases) || cases < 1000 || cases > 1_000_000)
    throw new Error('--cases takes a whole number from 1000 to 1000000');
  return {
    cases,
    users: Math.ceil(cases / 200),
    tasks: cases * 2,
    clients: 50,
    seconds: quick ? 2 : 6,
  };
}

function parse(args: string[]) {
  try {
    const options = { cases: { type: 'string' }, quick: { type: 'boolean' } } as const;
    return parseArgs({ args, options, strict: true }).values;
  } catch {
    throw new Error(USAGE);
  }
}
