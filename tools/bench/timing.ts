const ROUNDS = 40;

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Asks for the same again and again, one after the other, and says a row of a Markdown table: median and p95 in milliseconds. */
export async function reportTimes(name: string, ask: () => Promise<unknown>): Promise<void> {
  const taken: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const begun = performance.now();
    await ask();
    taken.push(performance.now() - begun);
  }
  taken.sort((a, b) => a - b);
  const at = (share: number) => (taken[Math.floor((ROUNDS - 1) * share)] ?? 0).toFixed(1);
  say(`| ${name} | ${at(0.5)} | ${at(0.95)} |`);
}
