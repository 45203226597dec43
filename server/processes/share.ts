// Several processes on one DATA_DIR behind one port: what the first holds, and how the others begin and end.

import { hostname } from 'node:os';
import type { Config } from '../config.ts';
import type { Connection } from '../db/connect.ts';

/** Resources shared by the processes on one DATA_DIR. */
export type Share = {
  /** DATA_DIR as a real path, which the first process has locked. */
  directory: string;
  secretKey: string;
  connection: Connection;
};

/** Which of these processes one is. */
export type ProcessSlot = {
  /** From 1; a replacement takes the number of the process that ended. */
  number: number;
  /** Whether no other process can be working yet. */
  isFirst: boolean;
};

export const SOLE_PROCESS: ProcessSlot = { number: 1, isFirst: true };

/** A name for what one process leaves unfinished. It has the host name, since several machines can share an S3 store and a DATA_DIR path. */
export function ownerOf({ config, seat = SOLE_PROCESS }: { config: Config; seat?: ProcessSlot }): string {
  const place = config.s3 ? `${hostname()}:${config.dataDir}` : config.dataDir;
  return seat.number === 1 ? place : `${place}#${seat.number}`;
}

/** From a worker to the primary. */
export type WorkerMessage = { type: 'begun' } | { type: 'ready' } | { type: 'metrics'; ask: number };
/** From the primary to a worker. */
export type PrimaryMessage =
  | { type: 'begin'; share: Share; seat: ProcessSlot }
  | { type: 'drain' }
  | { type: 'metrics'; ask: number; text: string | undefined };
