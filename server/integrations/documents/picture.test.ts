import { expect, test } from 'vitest';
import { encodePixels } from './picture.ts';

const [WHITE, BLACK, RED, CLEAR, HALF] = [
  [255, 255, 255, 255],
  [0, 0, 0, 255],
  [255, 0, 0, 255],
  [0, 0, 0, 0],
  [0, 0, 0, 128],
];

test.each([
  ['a gray map of a picture without colors', [WHITE, BLACK], 'P5', [255, 0]],
  ['a pixel map of a colored one', [RED, BLACK], 'P6', [255, 0, 0, 0, 0, 0]],
  ['white where a picture is transparent', [CLEAR, HALF], 'P5', [255, 127]],
])('the pixels of a scan become %s', (_, pixels, kind, values) => {
  const written = encodePixels(Uint8ClampedArray.from(pixels.flat()), 2, 1);
  expect(written.toString('latin1')).toBe(`${kind}\n2 1\n255\n${String.fromCharCode(...values)}`);
});

test('a picture longer than letters need is made smaller', () => {
  const written = encodePixels(new Uint8ClampedArray(7000 * 4).fill(255), 7000, 1);
  expect([written.readUInt32BE(0), written.readUInt32BE(16)]).toEqual([0x89504e47, 3500]);
});
