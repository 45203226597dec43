import { createCanvas } from '@napi-rs/canvas';
import { extractText, getDocumentProxy } from 'unpdf';

/** A PDF with a line for each string of each page, in a standard font. */
export function textPdf(pages: string[][]): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, index) => `${4 + index * 2} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  for (const [index, lines] of pages.entries()) {
    const shown = lines.map((line) => `(${line.replaceAll(/[()\\]/g, '\\$&')}) Tj T*`).join('\n');
    const content = `BT /F1 10 Tf 13 TL 60 740 Td\n${shown}\nET`;
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + index * 2} 0 R ` +
        '/Resources << /Font << /F1 3 0 R >> >> >>',
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    );
  }
  const parts = ['%PDF-1.4\n'];
  const offsets: number[] = [];
  let length = parts[0]?.length ?? 0;
  for (const [index, object] of objects.entries()) {
    offsets.push(length);
    const part = `${index + 1} 0 obj\n${object}\nendobj\n`;
    parts.push(part);
    length += part.length;
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  parts.push(
    `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`,
    `trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`,
  );
  return Buffer.from(parts.join(''), 'latin1');
}

/** That many pages of a contract with distinct clauses. */
export function longContract(pages: number): Buffer {
  return textPdf(
    Array.from({ length: pages }, (_, index) => [
      `${index + 1}. Clause Number ${index + 1}`,
      ...Array.from(
        { length: 40 },
        (_line, line) =>
          `Line ${line + 1} of clause ${index + 1}: the parties shall perform obligation ${index * 40 + line} in time.`,
      ),
    ]),
  );
}

/** Pixels of a letter page at 200 dpi. */
const WIDTH = 1700;
const HEIGHT = 2200;

/** A PDF of images of text like a scanner's: a string per line, no text layer. */
export async function scannedPdf(pages: string[][]): Promise<Buffer> {
  const objects: Buffer[] = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from(
      `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, at) => `${3 + at * 3} 0 R`).join(' ')}] >>`,
    ),
  ];
  const content = 'q 612 0 0 792 0 0 cm /Im Do Q';
  for (const [at, lines] of pages.entries()) {
    const [contents, image] = [4 + at * 3, 5 + at * 3];
    const jpeg = await photograph(lines);
    objects.push(
      Buffer.from(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${contents} 0 R ` +
          `/Resources << /XObject << /Im ${image} 0 R >> >> >>`,
      ),
      Buffer.from(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`),
      picture(jpeg),
    );
  }
  return assemble(objects);
}

/** A small PDF that shows one image of text on any number of pages, each of which takes as long to read as a scan. */
export async function repeatedScan(pages: number, lines: string[]): Promise<Buffer> {
  const jpeg = await photograph(lines);
  const kids = Array.from({ length: pages }, (_, at) => `${5 + at} 0 R`).join(' ');
  const content = 'q 612 0 0 792 0 0 cm /Im Do Q';
  const page =
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 3 0 R ' +
    '/Resources << /XObject << /Im 4 0 R >> >> >>';
  return assemble([
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from(`<< /Type /Pages /Count ${pages} /Kids [${kids}] >>`),
    Buffer.from(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`),
    picture(jpeg),
    ...Array.from({ length: pages }, () => Buffer.from(page)),
  ]);
}

function picture(jpeg: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(
      `<< /Type /XObject /Subtype /Image /Width ${WIDTH} /Height ${HEIGHT} /ColorSpace /DeviceRGB ` +
        `/BitsPerComponent 8 /Filter /DCTDecode /Length ${jpeg.length} >>\nstream\n`,
    ),
    jpeg,
    Buffer.from('\nendstream'),
  ]);
}

function photograph(lines: string[]): Promise<Buffer> {
  const canvas = createCanvas(WIDTH, HEIGHT);
  const pen = canvas.getContext('2d');
  pen.fillStyle = 'white';
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  pen.fillStyle = 'black';
  pen.font = '30px serif';
  for (const [at, line] of lines.entries()) pen.fillText(line, 150, 200 + at * 44);
  return canvas.encode('jpeg', 80);
}

function assemble(objects: Buffer[]): Buffer {
  const parts = [Buffer.from('%PDF-1.4\n')];
  const offsets: number[] = [];
  let length = parts[0]?.length ?? 0;
  for (const [at, object] of objects.entries()) {
    offsets.push(length);
    const part = Buffer.concat([
      Buffer.from(`${at + 1} 0 obj\n`),
      object,
      Buffer.from('\nendobj\n'),
    ]);
    parts.push(part);
    length += part.length;
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const end = `trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`;
  return Buffer.concat([
    ...parts,
    Buffer.from(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}${end}`),
  ]);
}

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

/** Texts of the pages of a PDF. */
export async function pagesOf(reply: Response): Promise<string[]> {
  const pdf = await getDocumentProxy(new Uint8Array(await reply.arrayBuffer()));
  return (await extractText(pdf)).text;
}

export async function textOf(reply: Response): Promise<string> {
  return (await pagesOf(reply)).join('\n');
}
