import { setTimeout as delay } from 'node:timers/promises';

const INTERVAL_MS = 200;

/** Asks again and again, at least once. @returns undefined when there was no answer within `timeoutMs` */
export async function poll<Answer>(
  timeoutMs: number,
  ask: () => Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  for (let waited = 0; waited < timeoutMs; waited += INTERVAL_MS) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await delay(INTERVAL_MS);
  }
  return undefined;
}
