import { useEffect, useRef } from 'react';
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { isRealDay } from '@matterdesk/contract/time.ts';
import { formatDay } from '../ui/days.ts';
import { toast } from '../ui/toast-store.ts';
import { counted } from './words.ts';

type SavedValues = { before: object; now: object; words: FieldWords };
/** The saved values that are not words themselves, such as ids, by their fields. */
type FieldWords = Partial<Record<string, string>>;

/**
 * Follows what others save while a form is open: a field that is as it was takes their value, and one that was changed
 * here says so beside its own. What is sent is counted from what is saved by then.
 * @param now the saved values as the form's inputs, the same object until they change; null for something new
 */
export function useOthersChanges<Inputs extends FieldValues, Output>(
  form: UseFormReturn<Inputs, unknown, Output>,
  now: NoInfer<Inputs> | null,
  words: FieldWords = {},
): void {
  const latest = useRef(now);
  const { isSubmitting } = form.formState;
  useEffect(() => {
    // A change meanwhile may be the server's form of the words that are being saved.
    if (isSubmitting) return;
    const before = latest.current;
    latest.current = now;
    if (before === null || now === null || before === now) return;
    const replaced = changedPaths(before, now).filter((path) =>
      isReplaced(form, path, { before, now, words }),
    );
    // Each field has its own words; this is for those out of view.
    if (replaced.length > 0)
      toast.plain(
        `Someone else changed ${counted(replaced.length, 'field')} that you changed, too`,
      );
  }, [form, now, words, isSubmitting]);
}

/** Dotted, as in a form. */
function changedPaths(before: object, now: object): string[] {
  return Object.entries(now).flatMap(([name, value]: [string, unknown]) => {
    const old = memberAt(before, name);
    if (isTree(old) && isTree(value))
      return changedPaths(old, value).map((path) => `${name}.${path}`);
    return JSON.stringify(old) === JSON.stringify(value) ? [] : [name];
  });
}

function isTree(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a field that was changed here was changed by someone else, too; it then says so. */
function isReplaced<Inputs extends FieldValues, Output>(
  form: UseFormReturn<Inputs, unknown, Output>,
  name: string,
  { before, now, words }: SavedValues,
): boolean {
  const path = name as FieldPath<Inputs>;
  const entered = JSON.stringify(form.getValues(path));
  const theirs = memberAt(now, name);
  if (entered === JSON.stringify(theirs)) return false;
  if (entered === JSON.stringify(memberAt(before, name))) {
    form.resetField(path, { defaultValue: theirs as never });
    // A field that is not shown has no default of its own.
    form.setValue(path, theirs as never);
    return false;
  }
  const shown = (words[name] ?? '') === '' ? inWords(theirs) : words[name];
  const change = shown === undefined ? 'changed this' : `changed this to ${shown}`;
  const message = `Someone else ${change} meanwhile. Saving replaces it.`;
  form.setError(path, { type: 'meanwhile', message });
  return true;
}

function memberAt(values: object, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((held, name) => (held as Record<string, unknown> | null)?.[name], values);
}

/** Undefined for a value that is nothing, or more than a few words. */
function inWords(value: unknown): string | undefined {
  const isLines = Array.isArray(value) && value.every((line) => typeof line === 'string');
  if (isLines && value.length > 0) return `“${value.join(', ')}”`;
  if (typeof value === 'number') return `“${value}”`;
  if (typeof value !== 'string' || value === '') return undefined;
  return isRealDay(value) ? formatDay(value) : `“${value}”`;
}
