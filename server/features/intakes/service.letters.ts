// Letters from the firm's templates, drafted in their author's mailbox.

import type { Letter } from '@matterdesk/contract/intake-routes.ts';
import { type ActorContext, asActor, write } from '../../context.ts';
import type { IdempotencyKey } from '../../core/idempotency-key.ts';
import { invalidField } from '../../core/refusal.ts';
import type { Transaction } from '../../db/schema.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { readFirm } from '../firm/service.ts';
import { deleteDraft, keepDraft } from '../mails/compose/service.ts';
import { requireNotErased } from './rules.ts';
import { newEntry, saveIntake, lockIntake, requireIntake } from './service.record.ts';
import { findSettings } from './store.ts';

type LetterDraft = { letter: Letter; once: IdempotencyKey | undefined };

/** @throws Refusal notFound, invalidInput for an unknown template */
export async function readLetter(context: ActorContext, id: string, name: string): Promise<Letter> {
  const row = await requireIntake(asActor(context), id);
  const { templates } = await findSettings(context.db);
  const template = templates.find((each) => each.name === name);
  if (!template) throw invalidField('template', 'Select a template');
  const { name: firmName, timeZone } = await readFirm(context);
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
 * Google stores the draft before the intake records it; a repeat stores another draft, records nothing, and deletes it.
 * @throws Refusal notFound, invalidInput without an email address, googleNotConnected
 */
export async function draftLetter(
  context: ActorContext,
  id: string,
  { letter, once }: LetterDraft,
) {
  const { subject, text } = letter;
  const row = await requireIntake(asActor(context), id);
  requireNotErased(row);
  if (row.email === null) throw invalidField('email', 'This intake has no email address');
  const mail = { from: context.actor.email, to: row.email, subject, text };
  const draft = await keepDraft(context, mail);
  const note = async (unit: Unit) => {
    const before = await lockIntake(unit.trx, id);
    requireNotErased(before);
    const entries = [newEntry(context.actor, 'letter', subject)];
    await saveIntake(unit, before, { change: {}, entries, action: 'lettered' });
    return draft;
  };
  const requireVisible = (trx: Transaction) => requireIntake(trx, id);
  try {
    const noted = await write(context, note, once && { ...once, requireVisible });
    if (noted.draftId !== draft.draftId) await dropDraft(context, draft);
    return noted;
  } catch (error) {
    // Otherwise the next attempt would leave a second draft.
    await dropDraft(context, draft);
    throw error;
  }
}

async function dropDraft(context: ActorContext, { draftId }: { draftId: string }) {
  await Promise.allSettled([deleteDraft(context, draftId)]);
}
