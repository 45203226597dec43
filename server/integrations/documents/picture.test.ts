import { expect, test } from 'vitest';
import { encodePixels } from './picture.ts';

/** The first bytes of every PNG. */
const PNG = 0x89504e47;
const [WHITE, BLACK, RED, CLEAR, HALF] = [
  [255, 255, 255, 255],
  [0, 0, 0, 255],
  [255, 0, 0, 255],
  [0, 0, 0, 0],
  [0, 0, 0, 128],
];

test.each([
  ['as gray', [WHITE, BLACK], [255, 0]],
  ['on white where it is transparent', [CLEAR, HALF], [255, 127]],
])('a scan without colors is written uncompressed, %s', (_, pixels, values) => {
  const written = encodePixels(Uint8ClampedArray.from(pixels.flat()), 2, 1);
  expect(written.toString('latin1')).toBe(`P5\n2 1\n255\n${String.fromCharCode(...values)}`);
});

test('a scan with colors is a PNG, which is small enough for another process', () => {
  const written = encodePixels(Uint8ClampedArray.from([RED, BLACK].flat()), 2, 1);
  expect([written.readUInt32BE(0), written.readUInt32BE(16)]).toEqual([PNG, 2]);
});

test('a scan longer than letters need is made smaller', () => {
  const written = encodePixels(new Uint8ClampedArray(7000 * 4).fill(255), 7000, 1);
  expect([written.readUInt32BE(0), written.readUInt32BE(16)]).toEqual([PNG, 3500]);
});
