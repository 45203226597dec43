/** A request that runs once, however often it is sent. */
export type IdempotencyKey = {
  userId: string;
  key: string;
  /** Hash of method, path and body, which distinguishes two requests. */
  fingerprint: string;
};
