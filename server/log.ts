import { pino, type DestinationStream, type Logger } from 'pino';

// The ten frames of V8's default end inside the database driver.
Error.stackTraceLimit = 30;

/** Logs JSON lines, by default to stdout. They contain route patterns, but never values of requests. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  // At level trace, the upload parser logs the headers of a request, including the token.
  const serializers = { err: describeError, busboyOptions: () => undefined };
  const timestamp = pino.stdTimeFunctions.isoTime;
  return pino({ level, base: null, timestamp, serializers }, destination);
}

export type Log = Logger;

/** Fields of database errors that never quote data; messages and details may. */
const DATABASE_FACTS = ['code', 'severity', 'schema', 'table', 'column', 'constraint', 'routine'];

function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const known = new Map<string, unknown>(Object.entries(error));
  const facts = DATABASE_FACTS.flatMap((name) => {
    const value = known.get(name);
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  // A SQLSTATE has five digits or capitals; Node's own codes are longer.
  const isQuoting = /^[0-9A-Z]{5}$/.test(String(known.get('code')));
  return {
    type: error.constructor.name,
    ...(!isQuoting && { message: error.message }),
    ...Object.fromEntries(facts),
    stack: framesOf(error),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  };
}

/** The stack without its first lines, which repeat the message. */
function framesOf(error: Error) {
  return (error.stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
}
