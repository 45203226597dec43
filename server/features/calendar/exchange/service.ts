// Takes events from other calendars, and gives them as files.

import { Readable } from 'node:stream';
import type { ImportItem } from '@matterdesk/contract/calendar-exchange.ts';
import type { EventKind } from '@matterdesk/contract/calendar.ts';
import { type ActorContext, type Context, write } from '../../../context.ts';
import { invalidField } from '../../../core/refusal.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
import type { Content } from '../../../http/content.ts';
import type { ReadEvent } from '../../../integrations/icalendar/answers.ts';
import { writeCalendar } from '../../../integrations/icalendar/write.ts';
import { requireActive } from '../../accounts/service.ts';
import { readFirm } from '../../firm/service.ts';
import { dayIn } from '../rules.times.ts';
import { requireParts, calendarFilesOf } from '../service.fields.ts';
import { readEvent } from '../service.ts';
import * as rules from './rules.ts';
import { planSteps, takeSteps, toItem, type Target } from './service.taking.ts';
import { lockImports } from './store.ts';

/** A file with events, and where they belong. */
export type IncomingEvents = { text: string; caseId: string | null; kind: EventKind };

/** @throws Refusal notFound */
export async function readEventFile(context: ActorContext, id: string): Promise<Content> {
  const event = await readEvent(context, id);
  const entry = rules.entryOf(event, { withNotes: true });
  const at = new Date(event.updatedAt);
  const bytes = Buffer.from([...writeCalendar({ method: 'PUBLISH', at }, [entry])].join(''));
  return {
    name: rules.fileNameOf(event.title),
    mimeType: 'text/calendar; charset=utf-8',
    isShown: true,
    size: bytes.length,
    about: { entity: 'event', entityId: id, ...(event.case && { caseId: event.case.id }) },
    read: (range) =>
      Promise.resolve(
        Readable.from([range ? bytes.subarray(range.start, range.end + 1) : bytes], {
          objectMode: false,
        }),
      ),
  };
}

/** What an import would do. @throws Refusal invalidInput */
export async function tryEventImport(
  context: ActorContext,
  incoming: IncomingEvents,
): Promise<ImportItem[]> {
  const read = await readCalendarText(context, incoming.text);
  const { caseId } = incoming;
  // A transaction only to look at the matter as the import would.
  return write(context, async (unit) => {
    await requireMatter(unit, caseId);
    return (await planSteps(unit.trx, read, { reader: context.actor, caseId })).map(toItem);
  });
}

/** Takes all events of a file, or none. @throws Refusal invalidInput */
export async function importEvents(
  context: ActorContext,
  incoming: IncomingEvents,
): Promise<ImportItem[]> {
  const read = await readCalendarText(context, incoming.text);
  const { caseId, kind } = incoming;
  const target: Target = { actor: context.actor, caseId, kind, isPrivate: false, source: null };
  return write(context, async (unit) => {
    await requireMatter(unit, caseId);
    await requireActive(unit.trx, context.actor);
    await lockImports(unit.trx);
    const steps = await planSteps(unit.trx, read, { reader: context.actor, caseId });
    const wrong = steps.find(({ problem }) => problem !== null);
    if (wrong) throw invalidField('file', `${wrong.event.title}: ${wrong.problem}`);
    await takeSteps(unit, steps, target);
    const isSame = steps.every(({ action }) => action === 'skip');
    if (!isSame) unit.emit('series.changed', { series: null, case: caseId });
    return steps.map(toItem);
  });
}

function requireMatter(unit: Unit, caseId: string | null): Promise<void> {
  return requireParts(unit, { asked: { case: caseId } });
}

async function readCalendarText(context: Context, text: string): Promise<ReadEvent[]> {
  const { timeZone } = await readFirm(context);
  const today = dayIn(timeZone, new Date());
  const reading = await calendarFilesOf(context).read({ text, timeZone, today });
  if ('problem' in reading) throw invalidField('file', reading.problem);
  if (reading.events.length === 0) throw invalidField('file', 'The file has no events');
  return reading.events;
}
