// Each route of the contract with bodies and addresses in which something is hostile.

import { routes } from '@matterdesk/contract/routes.ts';
import type { Random } from '../random.ts';
import { hostileNames } from '../hostile.ts';
import { changed, placesOf } from '../valid-input.ts';
import { forwardedFor } from './addresses.ts';
import { hostileSegment, hostileText } from './hostile-texts.ts';
import { addressOf, plausibleBody, type Row } from './plausible.ts';
import { ask, type Attack } from './wire.ts';

/** Requests by which the attacker would leave. */
const PARTING = /logout|me\/(password|totp|passkeys|sessions)|disconnect/;
const attacked = routes.filter(({ path, file }) => !file && !PARTING.test(path));

const VALUES: (() => unknown)[] = [
  () => null,
  () => 2 ** 53,
  () => -1e308,
  () => [],
  () => Array.from({ length: 20_000 }, () => 'a'),
  () => Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`k${n}`, n])),
  () => Object.fromEntries([['__proto__', { role: 'admin' }]]),
  () => JSON.parse(`${'['.repeat(25)}${']'.repeat(25)}`) as unknown,
];

export function members(random: Random): Attack {
  const route = random.pick(attacked);
  const texts = [1, 2, 3].map(() => hostileText(random, 400_000));
  const chosen = texts.map(() => random.next());
  const value = random.isLucky(0.25) ? random.pick(VALUES)() : undefined;
  const name = random.isLucky(0.1) ? random.pick(hostileNames) : undefined;
  const segment = random.isLucky(0.3) ? hostileSegment(random) : undefined;
  const query = random.isLucky(0.2)
    ? `?${random.pick(hostileNames.slice(0, 8))}=${hostileSegment(random)}`
    : '';
  const count = random.whole(0, 3);
  return {
    what: `${route.method} ${route.path} with ${count} of ${texts.map((each) => each.name).join(', ')}${segment === undefined ? '' : ` at ${segment.slice(0, 60)}`}${value === undefined ? '' : ', and another type'}`,
    run: async ({ ids, attacker, mailId, ...world }) => {
      const row: Row = {
        ...ids,
        id: ids.case,
        caseId: ids.case,
        kind: 'cases',
        first: ids.user,
        second: ids.user,
        userEmail: attacker.email,
        mailId,
        folder: 'Exhibits',
        name: 'a.txt',
      };
      let body = plausibleBody(route, row);
      const places = placesOf(body).slice(1);
      for (const [at, { text }] of texts.slice(0, count).entries()) {
        const { path } = places[Math.floor((chosen[at] ?? 0) * places.length)] ?? { path: [] };
        body =
          path.length > 0
            ? changed(body, path, at === 0 && value !== undefined ? value : text)
            : body;
      }
      if (name !== undefined && body !== undefined) body = changed(body, [name], texts[0]?.text);
      const address =
        segment === undefined
          ? addressOf(route, row)
          : addressOf(route, {}).replaceAll(/0{8}-[-0-9]+/g, () => segment);
      const headers = {
        'x-auth-token': attacker.token,
        ...forwardedFor(count),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      };
      const sent = {
        method: route.method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      };
      return [await ask({ ids, attacker, mailId, ...world }, address + query, sent)];
    },
  };
}
