import { pino, type DestinationStream, type Logger } from 'pino';

/** One JSON line an event, on stdout unless told otherwise. Values of requests never reach it: only route patterns do. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}

export type Log = Logger;
