/** The box of every form control. 16 px text on touch screens keeps phones from zooming in. */
export const CONTROL_CLASS =
  'min-w-0 rounded-control border border-line-strong bg-surface px-[11px] text-ink transition-colors ' +
  'hover:border-ink-3 aria-invalid:border-red disabled:cursor-not-allowed disabled:opacity-55 ' +
  'pointer-coarse:text-heading';

/** The box of a control with a single line. */
export const CONTROL_LINE_CLASS = `${CONTROL_CLASS} h-9 pointer-coarse:h-11`;
