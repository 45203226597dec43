import type { ErrorCode } from './errors.ts';

/** The `data` of a `connect_error` by which the server refuses a socket. */
export type SocketRefusal = { code: ErrorCode };

/** Events that a browser may send. */
export type ClientToServerEvents = {
  /** Asks for how many milliseconds there has been no event for this socket's user. */
  quiet: (answer: (milliseconds: number) => void) => void;
};

/** Socket connection settings from the specification. */
export const socketOptions = {
  path: '/socket.io',
  reconnectionDelay: 1000,
  reconnectionDelayMax: 5000,
  randomizationFactor: 0.5,
  timeout: 20_000,
} as const;
