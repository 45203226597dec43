/**
 * Reads an array of texts as PostgreSQL writes it, such as `{one,"two words",NULL}`.
 * The driver's own reader takes a step for each character: a contact of thousands of matters would hold the server up.
 * @param otherwise reads what is rare: arrays in arrays, and bounds other than from 1
 */
export function readTextArray(
  written: string,
  otherwise: (written: string) => (string | null)[],
): (string | null)[] {
  if (!written.startsWith('{') || written.startsWith('{{')) return otherwise(written);
  const inner = written.slice(1, -1);
  if (inner === '') return [];
  if (!inner.includes('"')) return inner.split(',').map(orNull);
  const items: (string | null)[] = [];
  for (let at = 0; at <= inner.length;) {
    const isQuoted = inner[at] === '"';
    const end = isQuoted ? closingQuote(inner, at + 1) : nextComma(inner, at);
    const item = inner.slice(isQuoted ? at + 1 : at, end);
    items.push(isQuoted ? item.replaceAll(/\\(.)/gs, '$1') : orNull(item));
    at = isQuoted ? end + 2 : end + 1;
  }
  return items;
}

function orNull(item: string): string | null {
  return item === 'NULL' ? null : item;
}

function nextComma(text: string, from: number): number {
  const at = text.indexOf(',', from);
  return at === -1 ? text.length : at;
}

function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at;
}

/** Whether an odd number of backslashes comes before. */
function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text[first - 1] === '\\') first -= 1;
  return (at - first) % 2 === 1;
}
