/** A usage or environment error of a command, in one line. */
export class CommandError extends Error {}

/** Runs a command; failures are one line on stderr and exit code 1. */
export async function runCommand(work: (args: string[]) => Promise<void>): Promise<void> {
  try {
    await work(process.argv.slice(2));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${message.replaceAll(/(?<!\s)\s*\n\s*/g, ' ')}\n`);
    process.exitCode = 1;
  }
}

/** Prints a line to the caller. */
export type Say = (line: string) => void;

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** A number with separators: `100,000`. */
export function count(number: number): string {
  return number.toLocaleString('en-US');
}
