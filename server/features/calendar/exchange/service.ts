import { Readable } from 'node:stream';
import type { ImportItem } from '@matterdesk/contract/calendar-exchange.ts';
import type { EventKind } from '@matterdesk/contract/calendar.ts';
import type { Actor } from '../../../core/actor.ts';
import { invalidField } from '../../../core/refusal.ts';
import type { Database } from '../../../db/schema.ts';
import type { Unit, Writer } from '../../../db/unit-of-work.ts';
import type { Content } from '../../../http/content.ts';
import type { ReadEvent } from '../../../integrations/icalendar/answers.ts';
import type { CalendarFileReader } from '../../../integrations/icalendar/reader.ts';
import { writeCalendar } from '../../../integrations/icalendar/write.ts';
import { dayIn } from '../rules.times.ts';
import { requireParts, type Firm, type Neighbours } from '../service.fields.ts';
import type { EventService } from '../service.ts';
import * as rules from './rules.ts';
import { planSteps, takeSteps, toItem, type Target } from './service.taking.ts';
import { lockImports } from './store.ts';

type Parts = Neighbours & {
  db: Database;
  writer: Writer;
  firm: Firm;
  events: EventService;
  reader: CalendarFileReader;
};

/** A file with events, and where they belong. */
export type IncomingEvents = { text: string; caseId: string | null; kind: EventKind };

/** Takes events from other calendars, and gives them as files. */
export class ExchangeService {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @throws Refusal notFound */
  async readFile(actor: Actor, id: string): Promise<Content> {
    const event = await this.#parts.events.readEvent(actor, id);
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
  async tryImport(actor: Actor, incoming: IncomingEvents): Promise<ImportItem[]> {
    const read = await this.#read(incoming.text);
    const { caseId } = incoming;
    // A transaction only to look at the matter as the import would.
    return this.#parts.writer.run(actor, async (unit) => {
      await this.#requireMatter(unit, caseId);
      return (await planSteps(unit.trx, read, { reader: actor, caseId })).map(toItem);
    });
  }

  /** Takes all events of a file, or none. @throws Refusal invalidInput */
  async importAll(actor: Actor, incoming: IncomingEvents): Promise<ImportItem[]> {
    const read = await this.#read(incoming.text);
    const { caseId, kind } = incoming;
    const target: Target = { actor, caseId, kind, isPrivate: false, source: null };
    return this.#parts.writer.run(actor, async (unit) => {
      await this.#requireMatter(unit, caseId);
      await this.#parts.accounts.requireActive(unit.trx, actor);
      await lockImports(unit.trx);
      const steps = await planSteps(unit.trx, read, { reader: actor, caseId });
      const wrong = steps.find(({ problem }) => problem !== null);
      if (wrong) throw invalidField('file', `${wrong.event.title}: ${wrong.problem}`);
      await takeSteps(unit, steps, target);
      const isSame = steps.every(({ action }) => action === 'skip');
      if (!isSame) unit.emit('series.changed', { series: null, case: caseId });
      return steps.map(toItem);
    });
  }

  #requireMatter(unit: Unit, caseId: string | null): Promise<void> {
    return requireParts(unit, this.#parts, { asked: { case: caseId } });
  }

  async #read(text: string): Promise<ReadEvent[]> {
    const { timeZone } = await this.#parts.firm.read();
    const today = dayIn(timeZone, new Date());
    const reading = await this.#parts.reader.read({ text, timeZone, today });
    if ('problem' in reading) throw invalidField('file', reading.problem);
    if (reading.events.length === 0) throw invalidField('file', 'The file has no events');
    return reading.events;
  }
}
