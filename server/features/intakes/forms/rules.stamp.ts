import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const DAY = 24 * 3_600_000;

/** When a page was made, and whether it is too old to be sent. */
export type Stamped = { madeAt: number; isOld: boolean };

/** Proves that a page came from here; each is used once. */
export function makeStamp(secretKey: string, slug: string, madeAt: number): string {
  const body = `${madeAt.toString(36)}.${randomBytes(12).toString('base64url')}`;
  return `${body}.${sign(secretKey, slug, body)}`;
}

/** Undefined for a stamp that was not made for this form. */
export function readStamp(
  secretKey: string,
  { slug, stamp, now }: { slug: string; stamp: string; now: number },
): Stamped | undefined {
  const [at = '', nonce = '', given = '', ...rest] = stamp.split('.');
  const made = sign(secretKey, slug, `${at}.${nonce}`);
  const [one, other] = [Buffer.from(made), Buffer.from(given)];
  if (rest.length > 0 || one.length !== other.length || !timingSafeEqual(one, other))
    return undefined;
  const madeAt = Number.parseInt(at, 36);
  return { madeAt, isOld: now - madeAt > DAY };
}

function sign(secretKey: string, slug: string, body: string): string {
  return createHmac('sha256', secretKey).update(`intake form ${slug} ${body}`).digest('base64url');
}
