import { hash, verify } from '@node-rs/argon2';
import limit from 'p-limit';
import { normalized } from '@matterdesk/contract/normalization.ts';
import { invalidField } from '../../core/refusal.ts';

const TOO_EASY = 'This password is too easy to guess';

let common: Promise<Set<string>> | undefined;

type Owner = { firstName: string; lastName: string; email: string };

/** OWASP password storage cheat sheet: argon2id, 19 MiB, two passes, one lane. */
const ARGON2ID = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Few at once, so that a crowd of sign-ins leaves processor time to everyone else. */
const turns = limit(2);

let dummy: Promise<string> | undefined;

/**
 * Decided before a password is hashed.
 * @param path its place in the body
 * @throws Refusal invalidInput
 */
export async function requireStrong(password: string, owner: Owner, path: string): Promise<void> {
  common ??= readCommon();
  const isCommon = (await common).has(password.trim().toLowerCase());
  if (isCommon || isOwnName(password, owner)) throw invalidField(path, TOO_EASY);
}

export function hashPassword(password: string): Promise<string> {
  return turns(() => hash(password, ARGON2ID));
}

/** Takes the same time for known and unknown addresses. */
export async function isPasswordOf(passwordHash: string | undefined, password: string) {
  dummy ??= hashPassword('an unused password');
  // An empty hash is of someone who never had a password.
  const against = passwordHash || (await dummy);
  const matches = await turns(() => verify(against, password));
  return Boolean(passwordHash) && matches;
}

/** The commonest passwords of leaks, in lower case; loaded when the first one is set. */
async function readCommon(): Promise<Set<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].map((each) => each.toLowerCase()));
}

/** Whether a password is the user's own name or address. */
function isOwnName(password: string, { firstName, lastName, email }: Owner): boolean {
  const names = [
    firstName,
    lastName,
    `${firstName} ${lastName}`,
    `${firstName}${lastName}`,
    email,
    email.slice(0, email.indexOf('@')),
  ];
  return names.some((name) => plain(name) === plain(password));
}

function plain(text: string): string {
  return normalized(text).trim().toLowerCase();
}
