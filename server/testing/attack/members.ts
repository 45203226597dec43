// Each route of the contract with bodies and addresses in which something is hostile.

import { routes } from '@matterdesk/contract/routes.ts';
import { hostileNames } from '../hostile.ts';
import type { Random } from '../random.ts';
import { changed, placesOf } from '../valid-input.ts';
import { forwardedFor } from './addresses.ts';
import { hostileSegment, hostileText, addressOf, plausibleBody, type Row } from './inputs.ts';
import { ask, type Attack, sendBytes } from './wire.ts';

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

/** Masked as a client's, with a mask of zeros. */
function frame(
  opcode: number,
  payload: Buffer,
  { isFinal = true, claimed = payload.length } = {},
): Buffer {
  const head = Buffer.alloc(14);
  head[0] = (isFinal ? 0x80 : 0) | opcode;
  head[1] = 0x80 | 127;
  head.writeBigUInt64BE(BigInt(claimed), 2);
  return Buffer.concat([head, payload]);
}

const PAYLOADS = [
  '40',
  '42["case.created",{}]',
  `42[${'['.repeat(50_000)}`,
  '451-["x",{"_placeholder":true,"num":0}]',
  '459999999999-["x"]',
  '42["__proto__",{"constructor":{}}]',
  '43999999999999999999[]',
  '6',
  '2probe',
  '\ud83d',
];

/** A socket with a session, or with none, that sends what no client library sends. */
export function socket(random: Random): Attack {
  const { name, text } = hostileText(random, 100_000);
  const payloads = Array.from({ length: random.pick([1, 3, 40]) }, () =>
    random.isLucky(0.3) ? `42["x",${JSON.stringify(text)}]` : random.pick(PAYLOADS),
  );
  const opcode = random.pick([1, 1, 1, 2, 0, 3, 8, 9]);
  const isFinal = random.isLucky(0.9);
  const claimed = random.isLucky(0.1) ? { claimed: 2 ** 40 } : {};
  const hasSession = random.isLucky(0.7);
  const origin = random.isLucky(0.1) ? 'Origin: https://evil.example\r\n' : '';
  const query = encodeURIComponent(text.slice(0, 500).toWellFormed());
  return {
    what: `a socket ${hasSession ? 'with' : 'without'} a session: ${payloads.length} frames ${opcode}${isFinal ? '' : ' without an end'}, ${payloads[0]?.slice(0, 40)}, ${name}`,
    run: async (world) => {
      const token = hasSession ? world.attacker.token : query;
      const upgrade = `GET /socket.io/?EIO=4&transport=websocket&token=${token} HTTP/1.1\r\nHost: 127.0.0.1\r\n${origin}Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n`;
      const frames = payloads.map((payload) =>
        frame(opcode, Buffer.from(payload), { isFinal, ...claimed }),
      );
      const bye = frame(8, Buffer.from([3, 232]));
      const greeting = frame(1, Buffer.from('40'));
      return [
        await sendBytes(world, [upgrade, greeting, ...frames, bye]),
        await ask(world, `/socket.io/?EIO=4&transport=polling&token=${token}&sid=${query}`, {
          method: 'POST',
          body: text,
        }),
        await ask(world, `/socket.io/?EIO=${query}&transport=${query}`),
      ];
    },
  };
}
