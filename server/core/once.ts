/** A request that must happen once, however often it is sent. */
export type Once = {
  userId: string;
  key: string;
  /** Tells two requests apart: method, path and body, hashed. */
  fingerprint: string;
};
