import type { Samples } from './load.ts';

/** A Markdown table with aligned columns, as the formatter leaves it. */
export function table(head: string[], rows: string[][]): string {
  const widths = head.map((_, column) =>
    Math.max(3, ...[head, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = widths.map((width) => '-'.repeat(width));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}

export const short = (value: number) => value.toFixed(value >= 100 ? 0 : 1);
export const three = ({ p50, p95, p99 }: Samples) => [p50, p95, p99].map(short).join(' / ');
export const times = (value: number, base: number) => (value / base).toFixed(1);
