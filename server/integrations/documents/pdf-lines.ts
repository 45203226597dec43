/** A text run of a page, as pdf.js returns it. */
export type TextRun = {
  str: string;
  /** Scale, skew and position: [a, b, c, d, x, y], y upwards. */
  transform: number[];
  width: number;
  height: number;
  hasEOL: boolean;
};

type Line = { text: string; y: number; size: number };

/**
 * Readable text of a page. It keeps the document's order, in which viewers find quotations, and
 * detects lines and paragraphs by their positions.
 */
export function joinRuns(runs: TextRun[]): string {
  const lines = toLines(runs);
  const pitch = usualPitch(lines);
  let text = '';
  for (const [index, line] of lines.entries()) {
    const above = lines[index - 1];
    if (above) text += isParagraphEnd(above, line, pitch) ? '\n\n' : '\n';
    text += line.text;
  }
  return text;
}

function toLines(runs: TextRun[]): Line[] {
  const lines: Line[] = [];
  let line: (Line & { right: number }) | undefined;
  const close = () => {
    const text = line?.text.replaceAll(/[ \u00a0]+/g, ' ').trim() ?? '';
    if (line && text !== '') lines.push({ text, y: line.y, size: line.size });
    line = undefined;
  };
  for (const run of runs) {
    const [a = 1, b = 0, , , x = 0, y = 0] = run.transform;
    const size = Math.hypot(a, b) || run.height || 1;
    if (line && Math.abs(line.y - y) > Math.max(line.size, size) * 0.5 && run.str.trim() !== '')
      close();
    if (line) line.text += gapBefore(line, run, size);
    else line = { text: '', y, size, right: x };
    line.text += run.str;
    line.right = x + run.width;
    if (run.str.trim() !== '') line.size = Math.max(line.size, size);
    if (run.hasEOL) close();
  }
  close();
  return lines;
}

/** A tab between table columns, a space between words. */
function gapBefore(line: { text: string; right: number }, run: TextRun, size: number) {
  const gap = (run.transform[4] ?? 0) - line.right;
  if (gap > size * 3 && run.str.trim() !== '') return '\t';
  const isOpen = line.text !== '' && !/\s$/.test(line.text) && !/^\s/.test(run.str);
  return gap > size * 0.2 && isOpen ? ' ' : '';
}

/** The most common line distance on the page. */
function usualPitch(lines: Line[]): number {
  const steps = lines
    .slice(1)
    .map((line, index) => (lines[index]?.y ?? 0) - line.y)
    .filter((step) => step > 1)
    .toSorted((a, b) => a - b);
  // Below the median, since gaps between paragraphs are larger.
  return steps[Math.floor(steps.length * 0.4)] ?? 0;
}

function isParagraphEnd(above: Line, line: Line, pitch: number): boolean {
  const step = above.y - line.y;
  if (step < 0) return true;
  const size = Math.max(above.size, line.size);
  // Another font size is another kind of text: a heading, a footnote.
  if (Math.abs(above.size - line.size) > size * 0.15) return true;
  return step > Math.max(pitch * 1.25, size * 1.1);
}
