/** Timeouts and waits for Google, in milliseconds. */
export type GoogleTimeouts = {
  /** Timeouts of a read, a complete mail, a send and a sign-in call. */
  read: number;
  whole: number;
  send: number;
  signIn: number;
  /** Longest wait before the second try; it doubles for each further try. */
  again: number;
  /** Interval of the round that finds due mailboxes. */
  tick: number;
};

export const GOOGLE_TIMEOUTS_MS: GoogleTimeouts = {
  read: 8000,
  whole: 45_000,
  send: 90_000,
  signIn: 8000,
  again: 250,
  tick: 5000,
};
