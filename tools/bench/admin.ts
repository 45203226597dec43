import { Server } from 'socket.io';
import { permissionsBy } from '@matterdesk/contract/permissions.ts';
import type { ActorContext } from '@matterdesk/server/context.ts';
import type { Actor } from '@matterdesk/server/core/actor.ts';
import type { Database } from '@matterdesk/server/db/schema.ts';
import { Writer } from '@matterdesk/server/db/unit-of-work.ts';
import { Realtime } from '@matterdesk/server/realtime/publisher.ts';
import type { BareDatabase } from './bare-database.ts';

type Admin = {
  actor: Actor;
  /** As much of a context as the services of the bench need. */
  contextOf: (db: Database) => ActorContext;
};

/** Calls services as an admin of the seeded firm. */
export async function findAdmin(database: BareDatabase): Promise<Admin> {
  const [admin] = await database.read<{ id: string }>(
    "select id from users where role = 'admin' and active limit 1",
  );
  const actor: Actor = {
    id: admin?.id ?? '',
    email: '',
    firstName: '',
    lastName: '',
    role: 'admin',
    permissions: permissionsBy(() => true),
    sessionId: '',
    socketId: undefined,
    requestId: '',
  };
  return {
    actor,
    contextOf(db) {
      const io = new Server();
      const realtime = new Realtime({
        io,
        drain: async () => undefined,
        onMissed: () => undefined,
      });
      return { db, actor, realtime, writer: new Writer(db, realtime) } as ActorContext;
    },
  };
}
