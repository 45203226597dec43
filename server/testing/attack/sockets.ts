import type { Random } from '../random.ts';
import { hostileText } from './hostile-texts.ts';
import { ask, sendBytes, type Attack } from './wire.ts';

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
