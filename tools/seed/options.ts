import { parseArgs } from 'node:util';
import { CommandError } from '@matterdesk/server/operations/command.ts';

export type SeedOptions = {
  cases: number;
  users: number;
  tasks: number;
  /** Archived cases per active case. */
  archived: number;
  /** The same seed on the same data generates the same firm. */
  seed: number;
  /** Password of everyone made; undefined for a random one. */
  password: string | undefined;
};

type Count = Exclude<keyof SeedOptions, 'password'>;
type Option = { otherwise: number; most: number };

const options: Record<Count, Option> = {
  cases: { otherwise: 200, most: 1_000_000 },
  users: { otherwise: 12, most: 10_000 },
  tasks: { otherwise: 400, most: 10_000_000 },
  archived: { otherwise: 8, most: 1000 },
  seed: { otherwise: 1, most: 2 ** 32 - 1 },
};

const TASKS_PER_CASE = 400;
const MIN_PASSWORD = 8;
const names = Object.keys(options) as Count[];
const usage = `npm run seed takes ${names.map((name) => `--${name} <number>`).join(', ')}, --password <text>`;

/** @throws CommandError one line that names the option and its values */
export function readSeedOptions(args: string[]): SeedOptions {
  const values = parse(args);
  const read = (name: Count) => readNumber(name, values[name]);
  const wanted: SeedOptions = {
    cases: read('cases'),
    users: read('users'),
    tasks: read('tasks'),
    archived: read('archived'),
    seed: read('seed'),
    password: values['password'],
  };
  if (wanted.tasks > wanted.cases * TASKS_PER_CASE)
    throw new CommandError(`--tasks takes at most ${TASKS_PER_CASE} for each of --cases`);
  if (wanted.password !== undefined && wanted.password.length < MIN_PASSWORD)
    throw new CommandError(`--password takes at least ${MIN_PASSWORD} characters`);
  return wanted;
}

function parse(args: string[]): Partial<Record<string, string>> {
  const all = [...names, 'password'];
  const known = Object.fromEntries(all.map((name) => [name, { type: 'string' as const }]));
  try {
    return parseArgs({ args, options: known, strict: true }).values;
  } catch (error) {
    const [sentence] = (error instanceof Error ? error.message : '').split(/\.(?: |$)|\n/, 1);
    throw new CommandError(`${sentence}: ${usage}`, { cause: error });
  }
}

function readNumber(name: Count, text: string | undefined): number {
  const { otherwise, most } = options[name];
  if (text === undefined) return otherwise;
  if (!/^\d{1,10}$/.test(text) || Number(text) > most)
    throw new CommandError(`--${name} takes a whole number from 0 to ${most}`);
  return Number(text);
}
