const AWAY_CODES = new Set([
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
]);
const AWAY_TEXT =
  /connection terminated|timeout exceeded when trying to connect|connection error|client was closed|cannot use a pool after/i;

/** True when the database did not answer, rather than refused. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string' && AWAY_CODES.has(code))
    return code !== 'ENOENT' || (error as { syscall?: unknown }).syscall === 'connect';
  return AWAY_TEXT.test(error.message);
}
