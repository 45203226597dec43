// Contacts of address books: vCard 2.1, 3.0 and 4.0.

import iconv from 'iconv-lite';
import { cleaned } from './records.ts';
import { readLines, type BadRow, type SourceFile, type SourceRow } from './source.ts';

/** Characters of a card without its pictures. */
const MAX_CARD_LENGTH = 500_000;
const MAX_PROPERTIES = 2000;
/** Pictures, sounds and keys. */
const BINARY = /^(?:[\w-]+\.)?(?:photo|logo|sound|key|x-ms-cardpicture)(?=[;:])/i;

type Property = {
  name: string;
  /** In lower case; those without a name are types. */
  types: string[];
  label: string;
  value: string;
};

/** Each card is a row, numbered from 1. */
export async function* readCards(file: SourceFile): AsyncGenerator<SourceRow | BadRow> {
  let row = 0;
  for await (const card of cardsOf(file)) {
    row += 1;
    const bad = { file: file.path, row, column: null };
    if (card === null) yield { ...bad, message: 'The contact is too long' };
    else yield { file: file.path, row, ...toCells(card.flatMap(readProperty)) };
  }
  if (row === 0)
    yield { file: file.path, row: null, column: null, message: 'The file has no contacts' };
}

/** Unfolded lines of each card; null for one that is too long. */
async function* cardsOf(file: SourceFile): AsyncGenerator<string[] | null> {
  let card: string[] | undefined;
  let length = 0;
  let isSkipped = false;
  for await (const line of readLines(file)) {
    const word = line.trim().toUpperCase();
    if (word === 'BEGIN:VCARD') [card, length, isSkipped] = [[], 0, false];
    else if (word === 'END:VCARD' && card) {
      yield length > MAX_CARD_LENGTH || card.length > MAX_PROPERTIES ? null : card;
      card = undefined;
    } else if (card && length <= MAX_CARD_LENGTH && card.length <= MAX_PROPERTIES)
      ({ length, isSkipped } = extend(card, line, { length, isSkipped }));
  }
}

type State = { length: number; isSkipped: boolean };

/** Joins a line that goes on, by a blank or by the `=` of quoted-printable. */
function extend(card: string[], line: string, { length, isSkipped }: State): State {
  const last = card.at(-1);
  const isFolded = /^[ \t]/.test(line);
  const isSoft = last !== undefined && last.endsWith('=') && /quoted-printable/i.test(last);
  if (isSkipped && (isFolded || !/^[\w.-]+[;:]/.test(line))) return { length, isSkipped };
  if (!isSoft && BINARY.test(line)) return { length, isSkipped: true };
  if (last !== undefined && (isFolded || isSoft))
    card[card.length - 1] = isSoft ? last.slice(0, -1) + line.trimStart() : last + line.slice(1);
  else if (line !== '') card.push(line);
  return { length: length + line.length, isSkipped: false };
}

function readProperty(line: string): Property[] {
  const colon = colonOf(line);
  if (colon === -1) return [];
  const [head = '', ...parameters] = splitAt(line.slice(0, colon), ';');
  const name = head.slice(head.lastIndexOf('.') + 1).toUpperCase();
  const types: string[] = [];
  let [label, charset, encoding] = ['', 'utf-8', ''];
  for (const parameter of parameters) {
    const [, key = 'TYPE', value = ''] = /^(?:([\w-]+)=)?([^]*)$/.exec(parameter) ?? [];
    const plain = value.replaceAll('"', '');
    if (key.toUpperCase() === 'LABEL') label = plain.replaceAll(/\\n|\^n/gi, '\n');
    else if (key.toUpperCase() === 'CHARSET') charset = plain;
    else if (key.toUpperCase() === 'ENCODING') encoding = plain.toUpperCase();
    else types.push(...plain.toLowerCase().split(','));
  }
  const isQuoted = encoding === 'QUOTED-PRINTABLE' || types.includes('quoted-printable');
  const value = line.slice(colon + 1);
  return [{ name, types, label, value: isQuoted ? unquoted(value, charset) : value }];
}

/** Outside of quotes. */
function colonOf(line: string): number {
  let isQuoted = false;
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === '"') isQuoted = !isQuoted;
    if (line[at] === ':' && !isQuoted) return at;
  }
  return line.indexOf(':');
}

/** Splits at signs that are neither escaped nor quoted. */
function splitAt(text: string, sign: string): string[] {
  const parts = [''];
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const one = text[at] ?? '';
    if (one === '"') isQuoted = !isQuoted;
    if (one === '\\') {
      parts[parts.length - 1] += one + (text[at + 1] ?? '');
      at += 1;
    } else if (one === sign && !isQuoted) parts.push('');
    else parts[parts.length - 1] += one;
  }
  return parts;
}

function unquoted(value: string, charset: string): string {
  const bytes = Buffer.from(
    value.replaceAll(/=([\dA-F]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  );
  return iconv.decode(bytes, iconv.encodingExists(charset) ? charset : 'utf-8');
}

function plain(value: string): string {
  return cleaned(
    value.replaceAll(/\\([nN,;:\\])/g, (_, sign: string) => (/n/i.test(sign) ? '\n' : sign)),
  );
}

/** Parts of a name or an address; within each, commas separate several. */
function structured(value: string): string[] {
  return splitAt(value, ';').map((part) => splitAt(part, ',').map(plain).filter(Boolean).join(' '));
}

type Cells = Pick<SourceRow, 'cells' | 'rest'>;

function toCells(properties: readonly Property[]): Cells {
  const of = (name: string) => properties.filter((property) => property.name === name);
  const text = (name: string) => of(name).map(({ value }) => plain(value));
  const [last, first, middle, prefix, suffix] = structured(of('N')[0]?.value ?? '');
  const [organization = ''] = structured(of('ORG')[0]?.value ?? '');
  const isOrganization =
    /^org/i.test(text('KIND')[0] ?? '') ||
    /^company$/i.test(text('X-ABSHOWAS')[0] ?? '') ||
    ![last, first, text('FN')[0]].some((part) => part !== undefined && part !== '');
  const numbers = of('TEL').filter(({ types }) => !types.includes('fax'));
  const phones = sorted(numbers).map(({ value }) => plain(value).replace(/^tel:/i, ''));
  const emails = sorted(of('EMAIL')).map(({ value }) => plain(value).replace(/^mailto:/i, ''));
  const fax = of('TEL').find(({ types }) => types.includes('fax'));
  const given = {
    id: text('UID')[0]?.replace(/^urn:uuid:/i, ''),
    kind: isOrganization ? 'organisation' : 'person',
    name: isOrganization ? text('FN')[0] || organization : text('FN')[0],
    prefix,
    firstName: first,
    middleName: middle,
    lastName: [last, suffix].filter(Boolean).join(' '),
    organization: isOrganization ? undefined : organization,
    otherNames: text('NICKNAME').join('; '),
    email: emails[0],
    email2: emails[1],
    phone: phones[0],
    phone2: phones[1],
    phone3: phones[2],
    fax: fax && plain(fax.value).replace(/^tel:/i, ''),
    ...addressOf(sorted(of('ADR'))[0], text('LABEL')[0]),
    dateOfBirth: text('BDAY')[0],
    notes: text('NOTE').join('\n\n'),
  };
  return { cells: filled(given), rest: filled(restOf(properties, { emails, phones })) };
}

/** The preferred ones first. */
function sorted(properties: readonly Property[]): Property[] {
  const isPreferred = ({ types }: Property) =>
    types.some((type) => /^(?:pref|1)$/.test(type)) ? 0 : 1;
  return properties.toSorted((a, b) => isPreferred(a) - isPreferred(b));
}

function addressOf(property: Property | undefined, label = ''): Record<string, string | undefined> {
  if (!property) return { address: label };
  const [box, extra, street, city, state, postalCode, country] = structured(property.value);
  const whole = property.label || label;
  const isWhole = whole !== '' && [city, state, postalCode, country].every((part) => !part);
  if (isWhole) return { address: cleaned(whole) };
  const line = [box, extra, street].filter(Boolean).join('\n');
  return { street: line, city, state, postalCode, country };
}

const OTHERS: Record<string, string> = {
  TITLE: 'Job title',
  ROLE: 'Role',
  URL: 'Web page',
  CATEGORIES: 'Categories',
  ANNIVERSARY: 'Anniversary',
  RELATED: 'Related',
};

function restOf(
  properties: readonly Property[],
  { emails, phones }: { emails: string[]; phones: string[] },
): Record<string, string> {
  const rest: Record<string, string> = {
    'More emails': emails.slice(2).join(', '),
    'More phones': phones.slice(3).join(', '),
  };
  for (const { name, value } of properties) {
    const title = OTHERS[name];
    if (title) rest[title] = [rest[title], plain(value)].filter(Boolean).join(', ');
  }
  const more = properties.filter(({ name }) => name === 'ADR').slice(1);
  rest['More addresses'] = more
    .map(({ value }) => structured(value).filter(Boolean).join(', '))
    .join('\n');
  return rest;
}

function filled(cells: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(cells).flatMap(([key, value]) => (value ? [[key, value]] : [])),
  );
}
