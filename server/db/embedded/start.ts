import fs from 'node:fs';
import path from 'node:path';
import { locateBinaries, type Binaries } from './binaries.ts';
import { createCluster, hasCluster, takeOver } from './cluster.ts';
import { connectionsOf, type Connections } from './connections.ts';
import { explainFailure } from './failure.ts';
import { chooseIdentity, type Identity } from './identity.ts';
import { settingArguments, type Settings } from './settings.ts';
import { makeSocketDirectory, socketDirectoryOf } from './socket-directory.ts';
import { separateSuperuser } from './superuser.ts';
import { supervise } from './supervise.ts';

export type EmbeddedPostgresOptions = {
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
      takeOver(directory, identity);
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
