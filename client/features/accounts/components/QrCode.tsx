import { encodeQR } from 'qr';

/** Squares of light around the code, by which cameras find it; the library draws one of them. */
const QUIET = 3;

/** Drawn here, so that no one else learns the secret. Dark on light in every theme, since cameras expect that. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const rows = encodeQR(text, 'raw', { border: 1 });
  const dots = rows.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  const side = rows.length + 2 * QUIET;
  const box = [-QUIET, -QUIET, side, side].join(' ');
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={box}
      shapeRendering="crispEdges"
      className="size-[152px] flex-none rounded-dialog border border-line"
    >
      <rect x={-QUIET} y={-QUIET} width={side} height={side} fill="#fff" />
      <path d={dots.join('')} fill="#000" />
    </svg>
  );
}
