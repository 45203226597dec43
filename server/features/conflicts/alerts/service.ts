// Alerts of new names, and what is decided about them.

import type { Alert, AlertDecision } from '@matterdesk/contract/conflict-alerts.ts';
import type { Hit } from '@matterdesk/contract/conflicts.ts';
import { type ActorContext, asActor, write } from '../../../context.ts';
import { allow } from '../../../core/actor.ts';
import { isId } from '../../../core/ids.ts';
import { invalidField, notFound, Refusal } from '../../../core/refusal.ts';
import { showHits } from '../checks/service.showing.ts';
import { aboutSubject } from '../checks/service.ts';
import * as store from './store.ts';

/** Newest first; without clearConflicts those of the caller's own matters. */
export async function listAlerts(context: ActorContext, isDecided: boolean): Promise<Alert[]> {
  const assigned = context.actor.permissions.clearConflicts ? undefined : context.actor.id;
  const rows = await store.listAlerts(asActor(context), { isDecided, assigned });
  return showAlerts(context, rows);
}

/** Without those of which the reader may not even learn that they are there. */
async function showAlerts(context: ActorContext, rows: store.AlertRow[]): Promise<Alert[]> {
  const kept = rows.map(({ id, hit }) => ({ ...hit, id, name: 0 }));
  const shown = await showHits(context, context.actor, { hits: kept });
  const hits = new Map(shown.map((hit) => [hit.id, hit]));
  return rows.flatMap((row): Alert[] => {
    const hit = hits.get(row.id);
    if (!hit) return [];
    const { id, at, name: asked } = row;
    const decision = decisionFor(hit, row);
    return [{ id, at: at.toISOString(), asked, subject: subjectOf(row), hit, decision }];
  });
}

/** @throws Refusal notPermitted, notFound, invalidInput, conflict for what is decided */
export async function decideAlert(
  context: ActorContext,
  id: string,
  input: AlertDecision,
): Promise<Alert> {
  allow(context.actor, 'clearConflicts');
  const before = await readAlert(context, id);
  const isHidden = before.hit.severity === 'hidden';
  if (isHidden !== (input.decision === 'asked'))
    throw invalidField(
      'decision',
      isHidden ? 'A hidden hit is decided by asking' : 'Only a hidden hit is decided by asking',
    );
  await write(context, async (unit) => {
    const { id: personId, firstName, lastName } = context.actor;
    const decision = {
      ...input,
      url: null,
      screened: [],
      by: { id: personId, firstName, lastName },
      at: new Date().toISOString(),
    };
    if (!(await store.decideAlert(unit.trx, id, decision)))
      throw new Refusal('conflict', 'This alert is decided already');
    const after = { decision: input.decision };
    const { subject } = before;
    const about = aboutSubject({ caseId: subject?.kind === 'cases' ? subject.id : null });
    await unit.record({ ...about, entityId: id, action: 'decided', after });
  });
  return readAlert(context, id);
}

async function readAlert(context: ActorContext, id: string): Promise<Alert> {
  const row = isId(id) ? await store.findAlert(asActor(context), id) : undefined;
  const [alert] = row ? await showAlerts(context, [row]) : [];
  if (!alert) throw notFound('Alert');
  return alert;
}

/** What those decided who see a hidden hit is not for others. */
function decisionFor({ severity }: Hit, { decision }: store.AlertRow): Alert['decision'] {
  return severity === 'hidden' && decision?.decision !== 'asked' ? null : decision;
}

function subjectOf(row: store.AlertRow): Alert['subject'] {
  if (row.case_id !== null) return { kind: 'cases', id: row.case_id, name: row.case_name ?? '' };
  if (row.intake_id === null) return null;
  return { kind: 'intakes', id: row.intake_id, name: row.intake_name ?? '' };
}
