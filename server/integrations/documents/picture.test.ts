import { createCanvas, loadImage } from '@napi-rs/canvas';
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
  const written = encodePixels({
    data: Uint8ClampedArray.from(pixels.flat()),
    width: 2,
    height: 1,
    channels: 4,
  });
  expect(written.toString('latin1')).toBe(`P5\n2 1\n255\n${String.fromCharCode(...values)}`);
});

test.each([1, 3] as const)(
  'a scan of %s channels without colors is written uncompressed',
  (channels) => {
    const data = Uint8Array.from(
      [200, 100].flatMap((shade) => Array<number>(channels).fill(shade)),
    );
    const written = encodePixels({ data, width: 2, height: 1, channels });
    expect(written.toString('latin1')).toBe(`P5\n2 1\n255\n${String.fromCharCode(200, 100)}`);
  },
);

test('a scan of three channels keeps its colors', async () => {
  const data = Uint8Array.from([255, 0, 0, 0, 0, 255]);
  const image = await loadImage(encodePixels({ data, width: 2, height: 1, channels: 3 }));
  const pen = createCanvas(2, 1).getContext('2d');
  pen.drawImage(image, 0, 0);
  expect([...pen.getImageData(0, 0, 2, 1).data]).toEqual([255, 0, 0, 255, 0, 0, 255, 255]);
});

test('a scan with colors is a PNG, which is small enough for another process', () => {
  const written = encodePixels({
    data: Uint8ClampedArray.from([RED, BLACK].flat()),
    width: 2,
    height: 1,
    channels: 4,
  });
  expect([written.readUInt32BE(0), written.readUInt32BE(16)]).toEqual([PNG, 2]);
});

test('a scan longer than letters need is made smaller', () => {
  const written = encodePixels({
    data: new Uint8ClampedArray(7000 * 4).fill(255),
    width: 7000,
    height: 1,
    channels: 4,
  });
  expect([written.readUInt32BE(0), written.readUInt32BE(16)]).toEqual([PNG, 3500]);
});
