// Cells that a spreadsheet would run as formulas.

/** Also a cell that splits at semicolons or tabs; or one that `guardFormula` has escaped. */
const FORMULA = /(?:^'*|[;\t])[=+\-@\t\r\uFF0B\uFF0D\uFF1D\uFF20]/;

/** Escapes a formula with a leading apostrophe. */
export function guardFormula(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell;
}

export function unguardFormula(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}
