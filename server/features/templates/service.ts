// Templates of letters: Word files with fields, kept in versions.

import { createHash } from 'node:crypto';
import type { CaseType } from '@matterdesk/contract/cases.ts';
import {
  NewTemplateSchema,
  type Template,
  TEMPLATE_BYTES_MAX,
  type TemplatePatch,
  type TemplateProblem,
  VersionFieldsSchema,
  WORD_TYPE,
} from '@matterdesk/contract/templates.ts';
import { type ActorContext, type Context, write } from '../../context.ts';
import { isId } from '../../core/ids.ts';
import { invalidField, notFound } from '../../core/refusal.ts';
import { yieldToEventLoop } from '../../core/time-slices.ts';
import type { Executor } from '../../db/schema.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import type { Content } from '../../http/content.ts';
import { type IncomingFile, readBytes } from '../../http/upload.ts';
import { validate } from '../../http/validate.ts';
import { readRange } from '../../integrations/blobs/blob-store.ts';
import { UnreadableDocument } from '../../integrations/documents/messages.ts';
import { inspectTemplate, type Inspection } from '../../integrations/templates/assemble.ts';
import { readTemplate } from '../../integrations/templates/template.ts';
import { writeWord } from '../../integrations/templates/word-file.ts';
import { catalog, describedFields } from './rules.fields.ts';
import * as starters from './rules.starters.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';

type Parts = AsyncIterable<{ field: string; value: string } | IncomingFile>;
/** A version of no template yet. */
type Version = Omit<store.NewVersion, 'template_id' | 'by_id'>;
type CheckedTemplate = { template: Template; problems: TemplateProblem[] };

/** Milliseconds to inspect a template, which the confined process has in any case. */
const INSPECTION_TIMEOUT_MS = 30_000;

export async function listTemplates(
  { db, actor }: ActorContext,
  asked: { type?: CaseType | undefined; search?: string | undefined },
): Promise<{ templates: Template[] }> {
  const withInactive = actor.permissions.editTemplates;
  const rows = await store.listTemplates(db, { ...asked, withInactive });
  return { templates: rows.map(rules.toTemplate) };
}

/** @throws Refusal notFound for an unknown template, or one out of use without editTemplates */
async function requireTemplate(
  { actor }: ActorContext,
  db: Executor,
  id: string,
): Promise<rules.TemplateRow> {
  const row = isId(id) ? await store.findTemplate(db, id) : undefined;
  if (!row || !(row.active || actor.permissions.editTemplates)) throw notFound('Template');
  return row;
}

/** Fields that templates can name. */
export function listFields() {
  return { fields: [...describedFields] };
}

/** @throws Refusal invalidInput for a file that is unsafe or no Word file, tooLarge */
export async function addTemplate(context: ActorContext, parts: Parts): Promise<CheckedTemplate> {
  const { fields, bytes } = await readParts(parts);
  const { name, types } = validate(NewTemplateSchema, fields);
  const version = await toVersion(bytes);
  return write(context, async (unit) => {
    const id = await store.insertTemplate(unit.trx, { name, types });
    await store.insertVersion(unit.trx, {
      ...version,
      template_id: id,
      by_id: context.actor.id,
    });
    return publish(context, unit, { id, action: 'created' });
  });
}

/** @throws Refusal notFound, and as for a new one */
export async function addTemplateVersion(
  context: ActorContext,
  id: string,
  parts: Parts,
): Promise<CheckedTemplate> {
  const { fields, bytes } = await readParts(parts);
  const patch = validate(VersionFieldsSchema, fields);
  await requireTemplate(context, context.db, id);
  const version = await toVersion(bytes);
  return write(context, async (unit) => {
    if (!(await store.lockTemplate(unit.trx, id))) throw notFound('Template');
    const row = { ...version, template_id: id, by_id: context.actor.id };
    await store.insertVersion(unit.trx, row);
    await store.updateTemplate(unit.trx, id, patch);
    return publish(context, unit, { id, action: 'updated' });
  });
}

/** Records a new version. */
async function publish(
  context: ActorContext,
  unit: Unit,
  { id, action }: { id: string; action: 'created' | 'updated' },
): Promise<CheckedTemplate> {
  const row = await requireTemplate(context, unit.trx, id);
  const [newest] = row.versions;
  const problems = newest?.problems ?? [];
  const after = { ...stateOf(row), version: newest?.n, problems: problems.length };
  await unit.record({ action, entity: 'template', entityId: id, after });
  return { template: rules.toTemplate(row), problems };
}

function stateOf({ name, types, active }: rules.TemplateRow) {
  return { name, types: types.join(', '), active };
}

/** @throws Refusal notFound */
export async function changeTemplate(
  context: ActorContext,
  id: string,
  patch: TemplatePatch,
): Promise<{ template: Template }> {
  return write(context, async (unit) => {
    if (!isId(id) || !(await store.lockTemplate(unit.trx, id))) throw notFound('Template');
    const before = await requireTemplate(context, unit.trx, id);
    await store.updateTemplate(unit.trx, id, patch);
    const after = await requireTemplate(context, unit.trx, id);
    await unit.record({
      action: 'updated',
      entity: 'template',
      entityId: id,
      before: stateOf(before),
      after: stateOf(after),
    });
    return { template: rules.toTemplate(after) };
  });
}

/** @param version the one in use without it, or the newest where none can be used @throws Refusal notFound */
export async function readTemplateFile(
  context: ActorContext,
  id: string,
  version?: number,
): Promise<Content> {
  const row = await requireTemplate(context, context.db, id);
  const n = version ?? (rules.versionInUse(row) ?? row.versions[0])?.n ?? 0;
  const bytes = await store.findBytes(context.db, { templateId: id, n });
  if (!bytes) throw notFound('Version');
  return {
    name: `${row.name.replaceAll(/[/\\]/g, '-')}.docx`,
    mimeType: WORD_TYPE,
    isShown: true,
    size: bytes.length,
    about: { entity: 'template', entityId: id, after: { name: row.name, version: n } },
    read: (range) => Promise.resolve(readRange(bytes, range)),
  };
}

/** Adds our own letters to an installation that has no template yet; the firm changes them as it likes. */
export async function addStarters(context: Context): Promise<void> {
  const { writer } = context;
  const why = 'the letters that come with the product have no author';
  // Read before taking the lock, one at a time, so that requests are served in between.
  const added: { row: { name: string; types: CaseType[] }; version: Version }[] = [];
  for (const { name, types, blocks } of starters.letters) {
    const bytes = writeWord(blocks);
    // Letters that come with the product need no process of their own.
    const { inspection } = await readTemplate(bytes, catalog);
    const version = toRow(bytes, inspection);
    added.push({ row: { name, types: [...types] }, version });
    await yieldToEventLoop();
  }
  await writer.runAsSystem(null, why, async ({ trx }) => {
    if (!(await store.lockIfEmpty(trx))) return;
    for (const { row, version } of added) {
      const id = await store.insertTemplate(trx, row);
      await store.insertVersion(trx, { ...version, template_id: id, by_id: null });
    }
  });
}

export async function hasTemplates({ db }: Context): Promise<boolean> {
  const [any] = await store.listTemplates(db, { withInactive: true });
  return any !== undefined;
}

/** @throws Refusal invalidInput, tooLarge */
async function readParts(parts: Parts): Promise<{ fields: object; bytes: Buffer }> {
  const fields = new Map<string, string>();
  let bytes: Buffer | undefined;
  for await (const part of parts) {
    if ('field' in part) fields.set(part.field, part.value);
    else bytes = await readBytes(part, TEMPLATE_BYTES_MAX);
  }
  if (!bytes) throw invalidField('file', 'Choose a Word file');
  return { fields: Object.fromEntries(fields), bytes };
}

/** @throws Refusal invalidInput */
async function toVersion(bytes: Buffer): Promise<Version> {
  const signal = AbortSignal.timeout(INSPECTION_TIMEOUT_MS);
  const found = await inspectTemplate({ bytes, catalog, signal }).catch((error: unknown) => {
    throw error instanceof UnreadableDocument ? invalidField('file', error.message) : error;
  });
  return toRow(bytes, found);
}

function toRow(bytes: Buffer, found: Inspection): Version {
  return {
    sha256: createHash('sha256').update(bytes).digest(),
    bytes,
    fields: found.fields,
    questions: found.questions,
    uses_lists: found.usesLists,
    problems: JSON.stringify(found.problems),
  };
}
