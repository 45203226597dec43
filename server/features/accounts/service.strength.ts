import { invalidField } from '../../core/refusal.ts';
import { isOwnName } from './passwords/rules.ts';

const TOO_EASY = 'This password is too easy to guess';

let common: Promise<Set<string>> | undefined;

/** The commonest passwords of leaks, in lower case; loaded when the first one is set. */
async function readCommon(): Promise<Set<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].map((each) => each.toLowerCase()));
}

type Owner = Parameters<typeof isOwnName>[1];

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
