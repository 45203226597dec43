/** Whether a statement failed because another row refers to its own, or because the row that its own refers to is deleted. */
export function isForeignKeyViolation(error: unknown): boolean {
  return (error as { code?: unknown } | null | undefined)?.code === '23503';
}
