import { hash, verify } from '@node-rs/argon2';
import limit from 'p-limit';

/** OWASP password storage cheat sheet: argon2id, 19 MiB, two passes, one lane. */
const ARGON2ID = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Few at once, so that a crowd of sign-ins leaves processor time to everyone else. */
const turns = limit(2);

export function hashPassword(password: string): Promise<string> {
  return turns(() => hash(password, ARGON2ID));
}

let dummy: Promise<string> | undefined;

/** Takes the same time for known and unknown addresses. */
export async function isPasswordOf(passwordHash: string | undefined, password: string) {
  dummy ??= hashPassword('an unused password');
  const against = passwordHash ?? (await dummy);
  const matches = await turns(() => verify(against, password));
  return passwordHash !== undefined && matches;
}
