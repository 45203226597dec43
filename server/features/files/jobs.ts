// The document library: folders, uploads, contents.

import { createHash } from 'node:crypto';
import type { Context } from '../../context.ts';
import type { Round } from '../../jobs/queue.ts';
import { sweepFiles } from './service.ts';

/**
 * Removes what a crash left in the store, and what was deleted 30 days ago.
 * Only the process that wrote there knows what is still being written, so each has rounds of its own.
 */
export function fileRound(context: Context): Round {
  const place = createHash('sha256').update(context.owner).digest('hex').slice(0, 16);
  return { name: `files-${place}`, every: 3600, run: () => sweepFiles(context) };
}
