import { pino, type Logger } from 'pino';

/** One JSON line an event on stdout. Values of requests never reach it: only route patterns do. */
export function createLog(level: string): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime });
}

export type Log = Logger;
