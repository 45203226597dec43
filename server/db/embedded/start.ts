import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  locateBinaries,
  type Binaries,
  createCluster,
  hasCluster,
  changeOwner,
  separateSuperuser,
} from './cluster.ts';
import { connectionsOf, type Connections } from './connections.ts';
import { explainFailure } from './failure.ts';
import { chooseIdentity, type Identity } from './identity.ts';
import { makeSocketDirectory, socketDirectoryOf, clusterNameOf, PORT } from './socket-directory.ts';
import { supervise } from './supervise.ts';

type EmbeddedPostgresOptions = {
  /** The cluster's directory. The caller has created and locked its parent. */
  directory: string;
  /** Receives each line of PostgreSQL's log. */
  log: (line: string) => void;
  /** Called before each slow step. */
  onProgress?: (step: string) => void;
  /** PostgreSQL settings that override ours. */
  settings?: Settings;
};

export type EmbeddedPostgres = Connections & {
  /** Stops it for good within 8 seconds; may be called again. */
  stop: () => Promise<void>;
};

/**
 * Starts the bundled PostgreSQL, creating its cluster on the first start, and restarts it on the
 * same socket after crashes. Throws one sentence on failure.
 */
export async function startEmbeddedPostgres({
  directory: requested,
  log,
  onProgress = () => undefined,
  settings,
}: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const binaries = locateBinaries();
  // The system reports a process's directory as a real path.
  const directory = path.join(fs.realpathSync(path.dirname(requested)), path.basename(requested));
  const identity = await openCluster({ directory, binaries, onProgress });
  const socketDirectory = socketDirectoryOf(directory);
  makeSocketDirectory(socketDirectory, identity);
  const command = [
    binaries.file('postgres'),
    '-D',
    directory,
    ...settingArguments({ directory, socketDirectory }, settings),
  ];
  onProgress('Starting the database');
  const supervisor = await supervise({
    directory,
    socketDirectory,
    identity,
    command,
    log,
    onProgress,
  });
  const stop = async () => {
    await supervisor.stop();
    fs.rmSync(socketDirectory, { recursive: true, force: true });
  };
  try {
    const { connection } = connectionsOf(directory, socketDirectory);
    await separateSuperuser(directory, connection, identity);
  } catch (error) {
    await stop();
    throw error;
  }
  return { ...connectionsOf(directory, socketDirectory), stop };
}

async function openCluster({
  directory,
  binaries,
  onProgress,
}: {
  directory: string;
  binaries: Binaries;
  onProgress: (step: string) => void;
}): Promise<Identity> {
  try {
    const exists = hasCluster(directory, binaries.major);
    const identity = chooseIdentity(binaries.file('postgres'), directory);
    if (exists) {
      changeOwner(directory, identity);
    } else {
      onProgress('Creating the database');
      await createCluster({ directory, binaries, identity });
    }
    return identity;
  } catch (error) {
    // File system errors have a code; our own refusals are sentences already.
    if (error instanceof Error && 'code' in error) throw explainFailure(directory, error);
    throw error;
  }
}

type Settings = Record<string, string | number>;

/** PostgreSQL's settings as arguments; `own` takes precedence. */
function settingArguments(
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
