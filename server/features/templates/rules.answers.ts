// Answers to a template's questions, and to fields that are empty.

import { ANSWER_MAX } from '@matterdesk/contract/templates.ts';
import type { Field } from '../../integrations/templates/catalog.ts';

type Asking = {
  questions: readonly string[];
  /** Paths of the fields that the template names. */
  fields: readonly string[];
  catalog: readonly Field[];
};

/** The first answer that fits no question and no field, or not the field's kind. */
export function problemOf(
  given: Readonly<Record<string, string>>,
  { questions, fields, catalog }: Asking,
): { key: string; message: string } | undefined {
  for (const [key, answer] of Object.entries(given)) {
    const message = questions.includes(key)
      ? undefined
      : fields.includes(key)
        ? wrongIn(fieldAt(catalog, key), answer)
        : 'This template has no such field or question';
    if (message !== undefined) return { key: key.slice(0, 200), message };
    if (answer.length > ANSWER_MAX)
      return { key, message: `Answer must have at most ${ANSWER_MAX} characters` };
  }
  return undefined;
}

/** 'parties.insurer.phone' is of the items of 'parties.insurer'. */
function fieldAt(catalog: readonly Field[], path: string): Field | undefined {
  for (const field of catalog) {
    if (field.path === path) return field;
    if (field.items && path.startsWith(`${field.path}.`)) {
      const found = fieldAt(field.items, path.slice(field.path.length + 1));
      if (found) return found;
    }
  }
  return undefined;
}

/** The kind of an answer; a question takes any text. */
export function kindOf(
  catalog: readonly Field[],
  path: string,
): { kind: Field['kind']; choices: string[] } {
  const { kind = 'lines', choices = [] } = fieldAt(catalog, path) ?? {};
  return { kind, choices: [...choices] };
}

function wrongIn(field: Field | undefined, answer: string): string | undefined {
  if (answer === '' || !field) return undefined;
  const { label } = field;
  switch (field.kind) {
    case 'date':
      return isDay(answer) ? undefined : `${label} must be a date such as 2027-11-20`;
    case 'number':
      return /^-?\d{1,15}$/.test(answer) ? undefined : `${label} must be a whole number`;
    case 'choice':
      return field.choices?.includes(answer)
        ? undefined
        : `${label} must be one of ${field.choices?.join(', ')}`;
    case 'list':
      return `${label} is a list, which is filled in the matter`;
    case 'text':
    case 'phone':
      return answer.includes('\n') ? `${label} must be one line` : undefined;
    case 'lines':
      return undefined;
  }
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
