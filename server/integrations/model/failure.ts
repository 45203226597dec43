/** Why a model call failed. Safe to log: it contains no part of the request or reply. */
export class ModelFailure extends Error {
  readonly reason: 'tooSlow' | 'busy' | 'refused' | 'unreachable' | 'broken' | 'aborted';

  constructor(reason: ModelFailure['reason']) {
    super(`The model failed: ${reason}`);
    this.reason = reason;
  }
}

/** Classifies the client library's error, which wraps the last of several tries. */
export function toModelFailure(error: unknown): ModelFailure {
  if (error instanceof ModelFailure) return error;
  const { name, lastError, statusCode } = (error ?? {}) as Record<string, unknown>;
  if (lastError !== undefined) return toModelFailure(lastError);
  if (name === 'TimeoutError') return new ModelFailure('tooSlow');
  if (name === 'AbortError') return new ModelFailure('aborted');
  if (statusCode === 429) return new ModelFailure('busy');
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500)
    return new ModelFailure('refused');
  if (name === 'AI_APICallError') return new ModelFailure('unreachable');
  return new ModelFailure('broken');
}
