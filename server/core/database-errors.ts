/** Whether a statement failed because another row refers to its own, or because the row that its own refers to is deleted. */
export function isForeignKeyViolation(error: unknown): boolean {
  return (error as { code?: unknown } | null | undefined)?.code === '23503';
}

/** Whether a statement wrote a row of a matter that its user does not see: a view's check option (decision 28). */
export function isBehindWall(error: unknown): boolean {
  return (error as { code?: unknown } | null | undefined)?.code === '44000';
}

const CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOENT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  // PostgreSQL, appendix A: connection exceptions, shutdown, starting up, too many connections
  '08000',
  '08001',
  '08003',
  '08006',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  // A statement that took too long, mostly waiting for a lock, and a transaction that its own process left waiting
  '57014',
  '25P03',
]);
const MESSAGES =
  /connection terminated|timeout exceeded when trying to connect|connection error|client was closed|cannot use a pool after/i;

/** Whether the database did not respond, as opposed to refusing a statement. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string' && CODES.has(code))
    return code !== 'ENOENT' || (error as { syscall?: unknown }).syscall === 'connect';
  return MESSAGES.test(error.message);
}
