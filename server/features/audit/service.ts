// Reads the audit log, to which every write adds.

import type { Activity } from '@matterdesk/contract/cases.ts';
import { type ActorContext, asActor } from '../../context.ts';
import { notFound } from '../../core/refusal.ts';
import { cutPage, type PageQuery, readCursor } from '../../http/paging.ts';
import { caseExists } from '../cases/service.ts';
import * as store from './store.ts';

const SERIAL = /^\d{1,18}$/;
const PAGE = 20;

/** Activity of a case and its tasks, newest first. @throws Refusal notFound */
export async function readActivity(
  context: ActorContext,
  caseId: string,
  query: PageQuery,
): Promise<{ activity: Activity[]; nextCursor: string | null }> {
  const [after] = query.cursor ? readCursor(query.cursor, [SERIAL]) : [];
  if (!(await caseExists(asActor(context), caseId))) throw notFound('Case');
  const limit = query.limit ?? PAGE;
  const rows = await store.listActivity(context.db, caseId, { limit: limit + 1, after });
  const { page, nextCursor } = cutPage(rows, limit, (row) => [row.id]);
  return { activity: page.map(store.toActivity), nextCursor };
}
