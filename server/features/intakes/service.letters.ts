import type { Letter } from '@matterdesk/contract/intake-letters.ts';
import type { Actor } from '../../core/actor.ts';
import type { Once } from '../../core/once.ts';
import { invalidField } from '../../core/refusal.ts';
import type { Database, Transaction } from '../../db/schema.ts';
import type { Unit, Writer } from '../../db/unit-of-work.ts';
import type { FirmService } from '../firm/service.ts';
import type { createMails } from '../mails/service.ts';
import { requireKept } from './rules.ts';
import { entryOf, keepIntake, lockIntake, requireIntake } from './service.keeping.ts';
import { findSettings } from './store.settings.ts';

type Parts = {
  db: Database;
  writer: Writer;
  firm: FirmService;
  mails: Pick<ReturnType<typeof createMails>, 'sending'>;
};

type Drafting = { letter: Letter; once: Once | undefined };

/** Letters to those who asked, which their author sends from the mailbox. */
export class Letters {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @throws Refusal notFound, invalidInput for an unknown template */
  async readLetter(actor: Actor, id: string, name: string): Promise<Letter> {
    const { db, firm } = this.#parts;
    const row = await requireIntake(db.as(actor), id);
    const { templates } = await findSettings(db);
    const template = templates.find((one) => one.name === name);
    if (!template) throw invalidField('template', 'Please select any template');
    const { name: firmName, timeZone } = await firm.read();
    const date = row.received_at.toLocaleDateString('en-US', { dateStyle: 'long', timeZone });
    const about = row.type === null ? 'your inquiry' : `your ${row.type} inquiry`;
    const values = new Map([
      ['name', row.name],
      ['firm', firmName],
      ['date', date],
      ['about', about],
    ]);
    const fill = (text: string) =>
      text.replaceAll(/\{(\w+)\}/g, (whole, key: string) => values.get(key) ?? whole);
    return { subject: fill(template.subject), text: fill(template.text) };
  }

  /**
   * Google keeps the draft before the intake notes it: a repeat keeps another one, notes nothing, and deletes it.
   * @throws Refusal notFound, invalidInput without an e-mail address, googleNotConnected
   */
  async draftLetter(actor: Actor, id: string, { letter, once }: Drafting) {
    const { db, mails, writer } = this.#parts;
    const { subject, text } = letter;
    const row = await requireIntake(db.as(actor), id);
    requireKept(row);
    if (row.email === null) throw invalidField('email', 'This intake has no e-mail address');
    const mail = { from: actor.email, to: row.email, subject, text };
    const draft = await mails.sending.keepDraft(actor, mail);
    const note = async (unit: Unit) => {
      const before = await lockIntake(unit.trx, id);
      requireKept(before);
      const entries = [entryOf(actor, 'letter', subject)];
      await keepIntake(unit, before, { change: {}, entries, action: 'lettered' });
      return draft;
    };
    const again = (trx: Transaction) => requireIntake(trx, id);
    try {
      const noted = await writer.run(actor, note, once && { ...once, again });
      if (noted.draftId !== draft.draftId) await this.#drop(actor, draft);
      return noted;
    } catch (error) {
      // The next attempt would leave a second draft.
      await this.#drop(actor, draft);
      throw error;
    }
  }

  async #drop(actor: Actor, { draftId }: { draftId: string }) {
    await Promise.allSettled([this.#parts.mails.sending.deleteDraft(actor, draftId)]);
  }
}
