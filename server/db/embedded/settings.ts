import os from 'node:os';
import { clusterNameOf, PORT } from './socket-directory.ts';

export type Settings = Record<string, string | number>;

/** PostgreSQL's settings as arguments; `own` takes precedence. */
export function settingArguments(
  place: { directory: string; socketDirectory: string },
  own: Settings = {},
): string[] {
  const all: Settings = {
    cluster_name: clusterNameOf(place.directory),
    listen_addresses: '',
    unix_socket_directories: place.socketDirectory,
    unix_socket_permissions: '0700',
    port: PORT,
    max_connections: 60,
    shared_buffers: `${sharedBuffers()}MB`,
    max_wal_size: '512MB',
    // A dead backup must not retain the log until the disk is full.
    max_slot_wal_keep_size: '2GB',
    jit: 'off',
    // Reads come from memory or from an SSD.
    random_page_cost: 1.1,
    timezone: 'UTC',
    log_timezone: 'UTC',
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    log_line_prefix: '',
    log_checkpoints: 'off',
    // Messages, details and texts of failed statements contain personal data.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    ...own,
  };
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** An eighth of this process's memory limit in MiB, from 128 to 512. */
function sharedBuffers(): number {
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  const eighth = Math.floor(Math.min(os.totalmem(), limit) / 2 ** 20 / 8);
  return Math.min(512, Math.max(128, eighth));
}
