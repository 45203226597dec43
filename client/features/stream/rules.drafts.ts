import { type EntryKind, entryKinds } from '@matterdesk/contract/stream.ts';
import { saveToTab, readFromTab } from '../../core/tab-storage.ts';
import { unsentOf } from '../../core/unsent.ts';

/** A note that was typed and not saved; `at` is the value of its input, '' for now, `files` are urls. */
export type Draft = { kind: EntryKind; text: string; at: string; files: string[] };

const noDraft: Draft = { kind: 'note', text: '', at: '', files: [] };

const keyOf = (caseId: string) => `note-${caseId}`;

/** The unsaved note of a matter in this tab, which outlives reloads and other pages. */
export function keptDraft(caseId: string): Draft {
  const { kind, text, at, files } = (readFromTab(keyOf(caseId)) ?? {}) as Partial<Draft>;
  if (typeof text !== 'string' || typeof at !== 'string') return noDraft;
  return {
    kind: entryKinds.find((known) => known === kind) ?? 'note',
    text,
    at,
    files: Array.isArray(files) ? files : [],
  };
}

export function keepDraft(caseId: string, draft: Draft): void {
  saveToTab(keyOf(caseId), draft.text === '' && draft.files.length === 0 ? null : draft);
}

/** The part of a note that was typed while an earlier state of it was being saved. */
export function withoutSaved(draft: Draft, saved: Draft): Draft {
  return {
    kind: draft.kind === saved.kind ? noDraft.kind : draft.kind,
    text: unsentOf(draft.text, saved.text),
    at: draft.at === saved.at ? noDraft.at : draft.at,
    files: draft.files.filter((url) => !saved.files.includes(url)),
  };
}
