import { deadlineRoutes as routes } from '@matterdesk/contract/deadline-routes.ts';
import type {
  Deadline,
  DeadlinePatch,
  NewChange,
  NewDeadline,
} from '@matterdesk/contract/deadlines.ts';
import {
  courtRuleRoutes,
  type NewJurisdiction,
  type NewRule,
  type RulePatch,
} from '@matterdesk/contract/court-rules.ts';
import {
  type Application,
  type ProposalDecision,
  proposalRoutes,
} from '@matterdesk/contract/proposals.ts';
import { call } from '../../api.ts';
import { store } from '../../core/store.ts';
import { courtList, deadlineChanged, proposalChanged } from './slice.ts';

async function changed(saving: Promise<Deadline>): Promise<Deadline> {
  const saved = await saving;
  store.dispatch(deadlineChanged(saved.id));
  return saved;
}

export function addDeadline(body: NewDeadline, idempotencyKey: string) {
  const failing = 'Couldn’t add the deadline';
  return changed(call(routes.addDeadline, { body, idempotencyKey, failing }));
}

export function verifyDate(id: string, body: { date: string; time: string | null }) {
  const failing = 'Couldn’t verify the date';
  // A different date is shown under its field.
  return changed(call(routes.verifyDeadline, { params: { id }, body, failing, toasts: 'none' }));
}

export function acknowledge(id: string) {
  const failing = 'Couldn’t acknowledge the warning';
  return changed(call(routes.acknowledgeDeadline, { params: { id }, failing }));
}

/** Changes what is not the date, or corrects a hard date that is not verified. */
export function changeDeadline(id: string, body: DeadlinePatch) {
  const failing = 'Couldn’t save the deadline';
  return changed(call(routes.changeDeadline, { params: { id }, body, failing }));
}

/** Saves the deadlines of a matter with their histories as PDF among its files. */
export function exportDeadlines(caseId: string) {
  const failing = 'Couldn’t export the deadlines';
  return call(routes.exportDeadlines, { body: { case: caseId }, failing });
}

export function proposeChange(id: string, body: NewChange) {
  const failing = 'Couldn’t save the change';
  return changed(call(routes.proposeChange, { params: { id }, body, failing }));
}

export function decideChange(id: string, accept: boolean) {
  const failing = 'Couldn’t save the decision';
  return changed(call(routes.decideChange, { params: { id }, body: { accept }, failing }));
}

export async function decideProposal(id: string, body: ProposalDecision) {
  const failing = 'Couldn’t save the decision';
  const decided = await call(proposalRoutes.decideProposal, { params: { id }, body, failing });
  store.dispatch(proposalChanged());
  for (const { deadline } of decided.items) store.dispatch(deadlineChanged(deadline.id));
}

export async function applyRule(body: Application, idempotencyKey: string) {
  const failing = 'Couldn’t add the deadlines';
  const { deadlines } = await call(proposalRoutes.applyRule, { body, idempotencyKey, failing });
  for (const { id } of deadlines) store.dispatch(deadlineChanged(id));
}

async function courtsChanged<T>(saving: Promise<T>): Promise<T> {
  const saved = await saving;
  store.dispatch(courtList.invalidated());
  return saved;
}

/** @param id of the rule that changes; without it, the rule is new */
export function saveRule(body: NewRule, id: string | undefined, idempotencyKey: string) {
  const failing = 'Couldn’t save the rule';
  return courtsChanged(
    id === undefined
      ? call(courtRuleRoutes.addRule, { body, idempotencyKey, failing })
      : call(courtRuleRoutes.changeRule, { params: { id }, body, failing }),
  );
}

export function signRule(id: string, reviewed: boolean) {
  const failing = 'Couldn’t sign the rule';
  const body: RulePatch = { reviewed };
  return courtsChanged(call(courtRuleRoutes.changeRule, { params: { id }, body, failing }));
}

/** @param id of the jurisdiction that changes; without it, it is new */
export function saveJurisdiction(
  body: NewJurisdiction,
  id: string | undefined,
  idempotencyKey: string,
) {
  const failing = 'Couldn’t save the jurisdiction';
  return courtsChanged(
    id === undefined
      ? call(courtRuleRoutes.addJurisdiction, { body, idempotencyKey, failing })
      : call(courtRuleRoutes.changeJurisdiction, { params: { id }, body, failing }),
  );
}
