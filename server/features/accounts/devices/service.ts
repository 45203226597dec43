import type { Session } from '@matterdesk/contract/devices.ts';
import type { Actor } from '../../../core/actor.ts';
import { isId } from '../../../core/ids.ts';
import { notFound } from '../../../core/refusal.ts';
import type { Database } from '../../../db/schema.ts';
import { endOtherSessions } from '../../../db/sessions.ts';
import type { Writer } from '../../../db/unit-of-work.ts';
import { about, type AccountService } from '../service.ts';
import * as store from './store.ts';

/** Shows a user their sessions, and ends them together with their open tabs. */
export class DeviceService {
  readonly #db: Database;
  readonly #writer: Writer;
  readonly #accounts: AccountService;

  constructor(db: Database, writer: Writer, accounts: AccountService) {
    this.#db = db;
    this.#writer = writer;
    this.#accounts = accounts;
  }

  async list(actor: Actor): Promise<{ sessions: Session[] }> {
    const terms = await this.#accounts.sessionTerms();
    const rows = await store.listSessions(this.#db, actor.id, terms);
    return { sessions: rows.map((row) => toSession(row, actor.sessionId)) };
  }

  /** @throws Refusal notFound */
  async end(actor: Actor, id: string): Promise<void> {
    if (!isId(id)) throw notFound('Session');
    await this.#writer.run(actor, async (unit) => {
      if (!(await store.deleteSession(unit.trx, actor.id, id))) throw notFound('Session');
      await unit.record({ entity: 'session', entityId: id, action: 'ended' });
      unit.afterCommit((realtime) => realtime.endSessions({ sessionId: id }, 'logout'));
    });
  }

  async endOthers(actor: Actor): Promise<void> {
    const { id: userId, sessionId } = actor;
    await this.#writer.run(actor, async (unit) => {
      await endOtherSessions(unit.trx, userId, sessionId);
      await unit.record({ ...about(actor), action: 'sessionsEnded' });
      unit.afterCommit((realtime) => realtime.endSessions({ userId, except: sessionId }, 'logout'));
    });
  }
}

function toSession(row: store.SessionRow, current: string): Session {
  const { id, address, agent } = row;
  return {
    id,
    current: id === current,
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    address,
    agent,
  };
}
