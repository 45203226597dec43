import { deadlineRoutes as routes } from '@matterdesk/contract/deadline-routes.ts';
import type {
  Deadline,
  DeadlinePatch,
  NewChange,
  NewDeadline,
} from '@matterdesk/contract/deadlines.ts';
import { calendarRoutes } from '@matterdesk/contract/calendar.ts';
import {
  type Computation,
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
import { Resource } from '../../core/resource.ts';
import { store } from '../../core/store.ts';
import { daysAfter } from './rules.ts';
import {
  counts,
  courts,
  deadlineChanged,
  details,
  type Filters,
  idle,
  proposalChanged,
  proposals,
  type SectionQuery,
  sections,
  triggers,
} from './slice.ts';

const AHEAD = 30;

/** Days between the filter's, if it has any, and the section's. */
function nextDays(today: string, { from, to }: Filters) {
  const last = daysAfter(today, AHEAD);
  return { from: from > today ? from : today, to: to !== '' && to < last ? to : last };
}

function queryOf({ section, today, filters }: SectionQuery): Record<string, string> {
  const { from, to, kind } = filters;
  const days = { ...(from && { from }), ...(to && { to }) };
  const ofKind = kind ? { kind } : {};
  if (section === 'waiting') return { attention: 'mine', ...days, ...ofKind };
  if (section === 'overdue') return { attention: 'overdue', ...days, ...ofKind };
  if (section === 'limitation') return { status: 'open', ...days, kind: 'limitation' };
  return { status: 'open', ...nextDays(today, filters), ...ofKind };
}

/** A section of the list of deadlines. */
export const sectionList = new Resource(sections, {
  slice: ({ deadlines }) => deadlines,
  kept: 12,
  fetch: (query: SectionQuery, { signal }) => {
    const { owner, case: caseId } = query.filters;
    const people = { owner: owner || undefined, case: caseId || undefined };
    return call(routes.listDeadlines, {
      query: { ...queryOf(query), ...people, limit: query.limit },
      signal,
      toasts: 'none',
    });
  },
});

/** Proposals that are open, newest first. */
export const proposalList = new Resource(proposals, {
  slice: ({ deadlines }) => deadlines,
  kept: 1,
  fetch: async (_: string, { signal }) =>
    (await call(proposalRoutes.listProposals, { signal, toasts: 'none' })).proposals,
});

/** The firm's rules and courts. */
export const courtList = new Resource(courts, {
  slice: ({ deadlines }) => deadlines,
  kept: 1,
  fetch: async (_: string, { signal }) => {
    const [{ rules }, { jurisdictions }] = await Promise.all([
      call(courtRuleRoutes.listRules, { signal, toasts: 'none' }),
      call(courtRuleRoutes.listJurisdictions, { signal, toasts: 'none' }),
    ]);
    return { rules, jurisdictions };
  },
});

/** Matters with nothing ahead. */
export const idleCases = new Resource(idle, {
  slice: ({ deadlines }) => deadlines,
  kept: 1,
  fetch: (_: string, { signal, cursor }) =>
    call(routes.listIdleCases, { query: { cursor, limit: 20 }, signal, toasts: 'none' }),
});

/** A deadline with its history. */
export const deadlineOf = new Resource(details, {
  slice: ({ deadlines }) => deadlines,
  kept: 2,
  fetch: (id: string, { signal }) =>
    call(routes.readDeadline, { params: { id }, signal, toasts: 'none' }),
});

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

/** What a step gives, with every line; stores nothing. */
export const countedDate = new Resource(counts, {
  slice: ({ deadlines }) => deadlines,
  kept: 20,
  fetch: (body: Computation, { signal }) =>
    call(courtRuleRoutes.computeDate, { body, signal, toasts: 'none' }),
});

/** The event from which deadlines are to count. */
export const triggerEvent = new Resource(triggers, {
  slice: ({ deadlines }) => deadlines,
  kept: 1,
  fetch: async (id: string, { signal }) =>
    (await call(calendarRoutes.readEvent, { params: { id }, signal, toasts: 'none' })).event,
});

async function courtsChanged<T>(saving: Promise<T>): Promise<T> {
  const saved = await saving;
  store.dispatch(courts.invalidated());
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
