import type {
  Computation,
  Counted,
  Jurisdiction,
  JurisdictionPatch,
  NewJurisdiction,
  NewRule,
  Rule,
  RulePatch,
} from '@matterdesk/contract/court-rules.ts';
import { allow, type Actor } from '../../../core/actor.ts';
import { isId } from '../../../core/ids.ts';
import type { Once } from '../../../core/once.ts';
import { invalidField, notFound } from '../../../core/refusal.ts';
import type { Database, Executor } from '../../../db/schema.ts';
import type { Unit, Writer } from '../../../db/unit-of-work.ts';
import { countDate } from './rules.ts';
import * as store from './store.ts';

/** What counts by a court's calendar, in any matter. */
type Dependents = {
  followHolidays: (
    unit: Unit,
    actor: Actor,
    change: { before: Jurisdiction; after: Jurisdiction },
  ) => Promise<void>;
};

const WHY = 'a court calendar counts in every matter';

/** Courts' calendars, the rules of the firm, and what they make of a date. */
export class CountingService {
  readonly #db: Database;
  readonly #writer: Writer;
  readonly #dependents: Dependents;

  constructor(db: Database, writer: Writer, dependents: Dependents) {
    this.#db = db;
    this.#writer = writer;
    this.#dependents = dependents;
  }

  /** @throws Refusal invalidInput for an unknown jurisdiction */
  async compute({ jurisdiction, ...span }: Computation): Promise<Counted> {
    return countDate(await this.#requireJurisdiction(this.#db, jurisdiction), span);
  }

  listJurisdictions(): Promise<Jurisdiction[]> {
    return store.listJurisdictions(this.#db);
  }

  /** @throws Refusal notPermitted */
  async addJurisdiction(actor: Actor, input: NewJurisdiction, once?: Once): Promise<Jurisdiction> {
    allow(actor, 'editCalendar');
    return this.#writer.run(
      actor,
      async (unit) => {
        const added = await store.insertJurisdiction(unit.trx, sorted(input));
        await unit.record({ ...aboutJurisdiction(added), action: 'created', after: added });
        return added;
      },
      once,
    );
  }

  /** @throws Refusal notPermitted, notFound */
  async changeJurisdiction(
    actor: Actor,
    id: string,
    patch: JurisdictionPatch,
  ): Promise<Jurisdiction> {
    allow(actor, 'editCalendar');
    return this.#writer.runAsSystem(actor, WHY, async (unit) => {
      const before = isId(id) ? await store.lockJurisdiction(unit.trx, id) : undefined;
      if (!before) throw notFound('Jurisdiction');
      const wanted = sorted({
        name: patch.name ?? before.name,
        timeZone: patch.timeZone ?? before.timeZone,
        weekend: patch.weekend ?? before.weekend,
        holidays: patch.holidays ?? before.holidays,
      });
      const after = await store.updateJurisdiction(unit.trx, id, wanted);
      await unit.record({ ...aboutJurisdiction(after), action: 'updated', before, after });
      await this.#dependents.followHolidays(unit, actor, { before, after });
      return after;
    });
  }

  listRules(): Promise<Rule[]> {
    return store.listRules(this.#db);
  }

  /** @throws Refusal notPermitted, invalidInput for an unknown jurisdiction */
  async addRule(actor: Actor, input: NewRule, once?: Once): Promise<Rule> {
    allow(actor, 'editCalendar');
    return this.#writer.run(
      actor,
      async (unit) => {
        await this.#requireJurisdiction(unit.trx, input.jurisdiction);
        const row = { ...input, steps: wholeSteps(input.steps), version: 1 };
        const reviewedBy = input.reviewed ? actor.id : null;
        const added = await store.insertRule(unit.trx, row, { reviewedBy });
        await unit.record({ ...aboutRule(added), action: 'created', after: added });
        return added;
      },
      once,
    );
  }

  /**
   * Makes a new version; a change of `reviewed` alone signs the present one, or takes that back.
   * @throws Refusal notPermitted, notFound, invalidInput for an unknown jurisdiction
   */
  async changeRule(actor: Actor, id: string, patch: RulePatch): Promise<Rule> {
    allow(actor, 'editCalendar');
    return this.#writer.run(actor, async (unit) => {
      const before = isId(id) ? await store.lockRule(unit.trx, id) : undefined;
      if (!before) throw notFound('Rule');
      const { jurisdiction, steps } = patch;
      if (jurisdiction !== undefined) await this.#requireJurisdiction(unit.trx, jurisdiction);
      const reviewed = patch.reviewed ?? false;
      const reviewedBy = reviewed ? actor.id : null;
      const isSignature = Object.keys(patch).every((member) => member === 'reviewed');
      const version = {
        name: patch.name ?? before.name,
        jurisdiction: jurisdiction ?? before.jurisdiction,
        trigger: patch.trigger ?? before.trigger,
        steps: steps ? wholeSteps(steps) : before.steps,
        reviewed,
        version: before.version + 1,
      };
      const after = isSignature
        ? await store.signRule(unit.trx, id, reviewedBy)
        : await store.insertRule(unit.trx, version, { id, reviewedBy });
      const action = isSignature && reviewed ? 'reviewed' : 'updated';
      await unit.record({ ...aboutRule(after), action, before, after });
      return after;
    });
  }

  async #requireJurisdiction(db: Executor, id: string): Promise<Jurisdiction> {
    const found = isId(id) ? await store.findJurisdiction(db, id) : undefined;
    if (!found) throw invalidField('jurisdiction', 'Please select a jurisdiction');
    return found;
  }
}

/** Holidays by date, each date once, the last entry of a date winning. */
function sorted<Input extends NewJurisdiction>(input: Input): Input {
  const byDate = new Map(input.holidays.map((holiday) => [holiday.date, holiday]));
  const holidays = [...byDate.values()].toSorted((a, b) => a.date.localeCompare(b.date));
  return { ...input, weekend: [...new Set(input.weekend)].toSorted((a, b) => a - b), holidays };
}

/** A step without `roll` or `service` rolls in its direction and adds no days. */
function wholeSteps(steps: NewRule['steps']): Rule['steps'] {
  return steps.map((step) => ({ ...step, roll: step.roll ?? null, service: step.service ?? 0 }));
}

function aboutJurisdiction({ id }: Jurisdiction) {
  return { entity: 'jurisdiction', entityId: id } as const;
}

function aboutRule({ id }: Rule) {
  return { entity: 'rule', entityId: id } as const;
}
