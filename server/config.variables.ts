/** A variable with a value it does not take. The message is one line that names both. */
export class ConfigError extends Error {}

export function takes(name: string, what: string) {
  return new ConfigError(`${name} takes ${what}`);
}

type Bounds = { otherwise: number; min: number; max: number };

export function wholeNumber(env: NodeJS.ProcessEnv, name: string, { otherwise, min, max }: Bounds) {
  const text = env[name];
  if (!text) return otherwise;
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < min || number > max)
    throw takes(name, `a whole number from ${min} to ${max}`);
  return number;
}

/** Undefined when it is not set. */
export function oneOf<Word extends string>(
  env: NodeJS.ProcessEnv,
  name: string,
  words: readonly Word[],
) {
  const text = env[name];
  if (!text) return undefined;
  const word = words.find((candidate) => candidate === text);
  if (!word) throw takes(name, `one of ${words.join(', ')}`);
  return word;
}

/** Both or none. */
export function pair(
  env: NodeJS.ProcessEnv,
  first: string,
  second: string,
): [string, string] | undefined {
  const [one, other] = [env[first] || '', env[second] || ''];
  if (!one && !other) return undefined;
  if (!one) throw takes(first, `a value as soon as ${second} has one`);
  if (!other) throw takes(second, `a value as soon as ${first} has one`);
  for (const [name, value] of [
    [first, one],
    [second, other],
  ] as const)
    if (!/^[\x21-\x7e]+$/.test(value)) throw takes(name, 'visible ASCII characters');
  return [one, other];
}

export function requireUrl(env: NodeJS.ProcessEnv, name: string) {
  const text = env[name];
  if (text && (!/^https?:\/\//i.test(text) || !URL.canParse(text)))
    throw takes(name, 'an address such as https://service.example.com');
}

export function isLoopback(host: string) {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
