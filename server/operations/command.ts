/** What the person who called a command did wrong, or what stands in its way, in one line. */
export class CommandError extends Error {}

/** Runs a command to its end; whatever stops it is one line on stderr and exit code 1. */
export async function runCommand(work: (args: string[]) => Promise<void>): Promise<void> {
  try {
    await work(process.argv.slice(2));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${message.replaceAll(/\s*\n\s*/g, ' ')}\n`);
    process.exitCode = 1;
  }
}

/** Takes a line for whoever called. */
export type Say = (line: string) => void;

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** A number as a person writes it: `100,000`. */
export function count(number: number): string {
  return number.toLocaleString('en-US');
}
