import { AsyncLocalStorage } from 'node:async_hooks';

/** Where a request comes from, for the audit log. */
export type Origin = { address: string; agent: string | null; requestId: string };

const LONGEST_AGENT = 300;
const origins = new AsyncLocalStorage<Origin>();

/** Everything that `work` starts knows the origin, also before anyone is signed in. */
export function withOrigin(origin: Origin, work: () => void): void {
  origins.run({ ...origin, agent: origin.agent?.slice(0, LONGEST_AGENT) ?? null }, work);
}

/** Undefined outside requests. */
export function currentOrigin(): Origin | undefined {
  return origins.getStore();
}
