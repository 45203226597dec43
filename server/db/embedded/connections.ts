import { APP, readSecret, SUPERUSER } from './cluster.ts';
import { readPidFile } from './predecessor.ts';
import { PORT } from './socket-directory.ts';

export type Connection = {
  /** The directory of the unix socket. */
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
};

export type Connections = {
  /** The application's own database, as its owner. */
  connection: Connection;
  /** For backups, which only a superuser may take. */
  superuser: Connection;
};

/** How to reach the cluster in that directory through that socket. */
export function connectionsOf(directory: string, socketDirectory: string): Connections {
  const shared = { host: socketDirectory, port: PORT, password: readSecret(directory) };
  return {
    connection: { ...shared, user: APP, database: APP },
    superuser: { ...shared, user: SUPERUSER, database: SUPERUSER },
  };
}

/** How to reach the PostgreSQL that another process runs in that directory, if one does. */
export function findRunningPostgres(directory: string): Connections | undefined {
  const found = readPidFile(directory);
  return found?.isReady ? connectionsOf(directory, found.socketDirectory) : undefined;
}
