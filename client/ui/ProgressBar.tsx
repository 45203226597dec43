interface ProgressBarProps {
  label: string;
  value: number;
  max: number;
}

/** Progress as a thin line. */
export function ProgressBar({ label, value, max }: ProgressBarProps) {
  const share = max > 0 ? Math.min(Math.max(value / max, 0), 1) : 0;
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={value}
      className="h-[3px] overflow-hidden bg-line"
    >
      <div
        className="h-full origin-left bg-accent transition-transform"
        style={{ transform: `scaleX(${share})` }}
      />
    </div>
  );
}
