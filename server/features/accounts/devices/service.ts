// Shows a user their sessions, and ends them together with their open tabs.

import type { Session } from '@matterdesk/contract/devices.ts';
import { isId } from '../../../core/ids.ts';
import { notFound } from '../../../core/refusal.ts';
import { endOtherSessions } from '../../../db/sessions.ts';
import { about, sessionTerms } from '../service.ts';
import * as store from './store.ts';
import { type ActorContext, write } from '../../../context.ts';

export async function listDevices(context: ActorContext): Promise<{ sessions: Session[] }> {
  const terms = await sessionTerms(context);
  const rows = await store.listSessions(context.db, context.actor.id, terms);
  return { sessions: rows.map((row) => toSession(row, context.actor.sessionId)) };
}

/** @throws Refusal notFound */
export async function endDevice(context: ActorContext, id: string): Promise<void> {
  if (!isId(id)) throw notFound('Session');
  await write(context, async (unit) => {
    if (!(await store.deleteSession(unit.trx, context.actor.id, id))) throw notFound('Session');
    await unit.record({ entity: 'session', entityId: id, action: 'ended' });
    unit.afterCommit((realtime) => realtime.endSessions({ sessionId: id }, 'logout'));
  });
}

export async function endOtherDevices(context: ActorContext): Promise<void> {
  const { id: userId, sessionId } = context.actor;
  await write(context, async (unit) => {
    await endOtherSessions(unit.trx, userId, sessionId);
    await unit.record({ ...about(context.actor), action: 'sessionsEnded' });
    unit.afterCommit((realtime) => realtime.endSessions({ userId, except: sessionId }, 'logout'));
  });
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
