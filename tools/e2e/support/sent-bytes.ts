import type { CDPSession } from 'playwright-core';

/** Adds up what the page loads from now on: bytes on the wire, headers included, by kind of resource. */
export function sentBytes(line: CDPSession): Record<string, number> {
  const kinds = new Map<string, string>();
  const sent: Record<string, number> = {};
  line.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type));
  line.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId) ?? 'Other';
    sent[kind] = (sent[kind] ?? 0) + encodedDataLength;
  });
  return sent;
}
