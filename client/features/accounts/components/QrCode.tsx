import { encodeQR } from 'qr';

/** Drawn here, so that no one else learns the secret. Dark on light in every theme, since cameras expect that. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const rows = encodeQR(text, 'raw', { border: 1 });
  const dots = rows.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return (
    <div className="size-[152px] flex-none rounded-dialog border border-line bg-white p-2.5">
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${rows.length} ${rows.length}`}
        shapeRendering="crispEdges"
        className="size-full"
      >
        <path d={dots.join('')} fill="#000" />
      </svg>
    </div>
  );
}
