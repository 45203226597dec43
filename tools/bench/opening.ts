import { Server } from 'socket.io';
import type { NewCase } from '@matterdesk/contract/cases.ts';
import { permissionsBy } from '@matterdesk/contract/permissions.ts';
import type { Actor } from '@matterdesk/server/core/actor.ts';
import type { Database } from '@matterdesk/server/db/schema.ts';
import { Writer } from '@matterdesk/server/db/unit-of-work.ts';
import type { ActorContext } from '@matterdesk/server/context.ts';
import { openCase } from '@matterdesk/server/features/cases/service.ts';
import { Realtime } from '@matterdesk/server/realtime/publisher.ts';
import { FIRST_ID, type BareDatabase, type Statement } from './bare-database.ts';

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const WRITING = /^\s*(?:insert|update|with given)/;

/** Statements of one transaction, made anew for each number: ids differ, and what `swap` changes. */
export type Repeatable = (n: number, swap: (text: string) => string) => Statement[];

/**
 * All that the product writes for a new case: its row, limitation, contacts, parties, names, audit entries and check.
 * @param known opened before, with the same counsel, whom the firm then knows
 */
export async function captureOpening(
  database: BareDatabase,
  known: NewCase,
  input: NewCase,
): Promise<Repeatable> {
  const [admin] = await database.read<{ id: string }>(
    "select id from users where role = 'admin' and active limit 1",
  );
  const actor = actorOf(admin?.id ?? '');
  await database.captureServices((db) => openCase(contextOf(db, actor), known));
  const [start] = await database.read<{ at: Date }>('select clock_timestamp() as at');
  let caseId = '';
  const seen = await database.captureServices(async (db) => {
    caseId = (await openCase(contextOf(db, actor), input)).id;
  });
  const writes = seen.filter(({ text }) => WRITING.test(text));
  const found = [...JSON.stringify(writes).matchAll(UUID)].map(([id]) => id);
  const before = await database.read<{ id: string }>(
    `select id from users where id = any($1) union
      select id from contacts where id = any($1) and created_at < $2`,
    [found, start?.at],
  );
  const old = new Set(before.map(({ id }) => id));
  const added = new Set(found.filter((id) => !old.has(id) && id !== caseId));
  const another = (id: string, n: number) => id.slice(0, -12) + n.toString(16).padStart(12, '0');
  return (n, swap) =>
    writes.map(({ text, values }) => ({
      text,
      values: values.map((value) =>
        typeof value === 'string'
          ? swap(value)
              .replaceAll(caseId, FIRST_ID)
              .replace(UUID, (id) => (added.has(id) ? another(id, n) : id))
          : value,
      ),
    }));
}

/** As much of a context as opening a case needs. */
function contextOf(db: Database, actor: Actor): ActorContext {
  const io = new Server();
  const realtime = new Realtime({ io, drain: async () => undefined, onMissed: () => undefined });
  return { db, actor, realtime, writer: new Writer(db, realtime) } as ActorContext;
}

function actorOf(id: string): Actor {
  const person = { id, email: '', firstName: '', lastName: '', role: 'admin' as const };
  const permissions = permissionsBy(() => true);
  return { ...person, permissions, sessionId: '', socketId: undefined, requestId: '' };
}
