import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  add,
  describeFailures,
  describeOutcome,
  describeSlowest,
  noOutcome,
  type Outcome,
} from './outcome.ts';
import { CommandFailed, signalAll } from './run.ts';
import { steps, type Asked, type Step } from './steps.ts';

const names = steps.map(({ name }) => name).join(',');
const usage = `npm test -- [--only ${names}] [--long] [--cluster] [part of a test file's path …]`;
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

let stoppedBy: NodeJS.Signals | undefined;
for (const signal of stopSignals) process.on(signal, () => stop(signal));
// Of a launcher that was killed we hear by the channel to it.
process.on('disconnect', () => stop('SIGTERM'));
process.channel?.unref();

const scratch = mkdtempSync(join(tmpdir(), 'matterdesk-suite-'));
try {
  process.exitCode = await runSteps(readArguments(process.argv.slice(2)));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function stop(signal: NodeJS.Signals): void {
  stoppedBy = signal;
  signalAll(signal);
}

function readArguments(args: string[]): Asked {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: {
        only: { type: 'string' },
        long: { type: 'boolean' },
        cluster: { type: 'boolean' },
      },
      allowPositionals: true,
    });
    const only = values.only?.split(',');
    const unknown = only?.find((name) => !steps.some((step) => step.name === name));
    if (unknown !== undefined) throw new Error(`There is no step ${unknown}`);
    const { long: isLong = false, cluster: hasCluster = false } = values;
    return { only, isLong, hasCluster, filters: positionals, scratch };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
    rmSync(scratch, { recursive: true, force: true });
    process.exit(2);
  }
}

async function runSteps(asked: Asked): Promise<number> {
  const chosen = steps.filter(({ name, isLong }) =>
    asked.only === undefined
      ? !isLong || asked.isLong || (asked.hasCluster && name === 'cluster')
      : asked.only.includes(name),
  );
  let total = noOutcome;
  const beside: Promise<Outcome>[] = [];
  for (const step of chosen) {
    if (stoppedBy !== undefined) break;
    const outcome = runStep(step, asked).then((ended) => named(step, ended));
    if (step.isBeside) beside.push(outcome);
    else total = add(total, await outcome);
  }
  for (const outcome of await Promise.all(beside)) total = add(total, outcome);
  if (stoppedBy !== undefined) {
    console.log(`stopped by ${stoppedBy}`);
    return 1;
  }
  for (const line of [...describeSlowest(total), ...describeFailures(total)]) console.log(line);
  console.log(describeOutcome(total));
  return total.failed === 0 ? 0 : 1;
}

/** A step that failed outside of any test is named itself. */
function named({ name }: Step, outcome: Outcome): Outcome {
  const isUnnamed = outcome.failed > outcome.failures.length;
  return isUnnamed ? { ...outcome, failures: [...outcome.failures, name] } : outcome;
}

async function runStep(step: Step, asked: Asked): Promise<Outcome> {
  const missing = step.missing?.();
  if (missing !== undefined) {
    console.log(`${step.name.padEnd(10)} skipped: ${missing}`);
    return { ...noOutcome, skipped: 1 };
  }
  if (step.isStreamed || step.isBeside) console.log(`${step.name} …`);
  const begun = performance.now();
  const complaints: string[] = [];
  const outcome = await step.run(asked).catch((error: unknown) => {
    complaints.push(...explain(error));
    return { ...noOutcome, failed: 1 };
  });
  const seconds = ((performance.now() - begun) / 1000).toFixed(1).padStart(6);
  const flaky = outcome.flaky === 0 ? '' : `, ${outcome.flaky} flaky`;
  const result = outcome.failed === 0 ? 'ok' : 'FAIL';
  console.log(`${step.name.padEnd(10)} ${seconds} s  ${result}${flaky}`);
  for (const complaint of complaints) console.error(complaint);
  return outcome;
}

function explain(error: unknown): string[] {
  if (error instanceof AggregateError) return error.errors.flatMap(explain);
  if (error instanceof CommandFailed) return [error.output.trimEnd(), error.message];
  return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
}
