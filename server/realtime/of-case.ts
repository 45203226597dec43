import type { EventName, EventPayload } from '@matterdesk/contract/events.ts';

type OfCase = { [Name in EventName]: ((payload: EventPayload<Name>) => string | null) | null };

/** The case that an event tells of, whose wall decides who hears it; null for events of no case. */
const ofCase: OfCase = {
  'case.created': ({ id }) => id,
  'case.updated': ({ id }) => id,
  'task.created': (task) => task.case,
  'task.updated': (task) => task.case,
  'task.deleted': (task) => task.case,
  'event.created': (event) => event.case?.id ?? null,
  'event.updated': (event) => event.case?.id ?? null,
  'series.changed': (changed) => changed.case,
  'file.uploaded': (file) => file.case,
  'file.deleted': (file) => file.case,
  'file.trainingChanged': (file) => file.case,
  // A deadline without a case is the firm's.
  'deadline.created': (deadline) => deadline.case?.id ?? null,
  'deadline.updated': (deadline) => deadline.case?.id ?? null,
  'proposal.opened': (proposal) => proposal.case,
  'proposal.decided': (proposal) => proposal.case,
  // Its owner alone, who sees the case when it is raised.
  'notice.raised': null,
  // A contact is of several cases, or of none: its audience is found with it.
  'contact.updated': null,
  // An intake has an audience of its own.
  'intake.created': null,
  'intake.updated': null,
  // Those who decide about it, and those assigned.
  'conflict.alerted': null,
  'mail.received': null,
  'message.received': null,
  'message.sent': null,
  'message.statusChanged': null,
  'user.created': null,
  'user.updated': null,
  'session.ended': null,
  // Their own audience: those who lose a matter, too.
  'access.changed': null,
  'access.opened': null,
};

export function caseOf<Name extends EventName>(
  name: Name,
  payload: EventPayload<Name>,
): string | undefined {
  return ofCase[name]?.(payload) ?? undefined;
}
