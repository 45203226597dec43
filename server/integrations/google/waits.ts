/** How long Google is waited for, in milliseconds. */
export type GoogleWaits = {
  /** What a look, a whole mail, the sending of one and a call to the sign-in may take. */
  look: number;
  whole: number;
  send: number;
  signIn: number;
  /** The most before the second try; each further one waits twice as long. */
  again: number;
  /** Between two looks at whose mailbox is due. */
  tick: number;
};

export const GOOGLE_WAITS: GoogleWaits = {
  look: 8000,
  whole: 45_000,
  send: 90_000,
  signIn: 8000,
  again: 250,
  tick: 3000,
};
