import { createCanvas } from '@napi-rs/canvas';

/** A PNG of words on a colored background. */
export async function paintPicture(words: string[], ground = '#31406b'): Promise<Buffer> {
  const [width, height] = [640, 120 + words.length * 44];
  const canvas = createCanvas(width, height);
  const pen = canvas.getContext('2d');
  pen.fillStyle = ground;
  pen.fillRect(0, 0, width, height);
  pen.fillStyle = '#ffffff';
  pen.font = '28px sans-serif';
  for (const [index, line] of words.entries()) pen.fillText(line, 40, 90 + index * 44);
  return canvas.encode('png');
}
