import { spaced } from '@matterdesk/contract/audit-acts.ts';
import { type ValueKind, wordsOf } from '@matterdesk/contract/audit-words.ts';
import type { Entry } from '@matterdesk/contract/audit.ts';
import type { Change } from '@matterdesk/contract/cases.ts';
import { columnTitles } from '@matterdesk/contract/columns.ts';
import { fullName } from '../../core/actor.ts';
import { DAY_MS } from '../../core/durations.ts';
import { isId } from '../../core/ids.ts';

/** Timestamps that follow from other changes. */
const DERIVED_TIMES = new Set(['updatedAt', 'columnSince']);

export const COLUMNS = [
  ...(['id', 'at', 'actor', 'address', 'agent', 'action', 'entity', 'entityId'] as const),
  ...(['name', 'caseId', 'requestId', 'before', 'after'] as const),
];

/** Members that differ between two states of an entity. */
export function changedMembers(before: object | null, after: object | null): string[] {
  if (!before || !after) return [];
  const old = new Map<string, unknown>(Object.entries(before));
  return Object.entries(after)
    .filter(([name, value]) => !DERIVED_TIMES.has(name) && !isSame(old.get(name), value))
    .map(([name]) => name);
}

/** Whether a filter names a kind of entity rather than an id. */
export function isKind(entity: string): boolean {
  return !isId(entity) && /^[a-z]+$/i.test(entity);
}

export function startOf(moment: string): Date {
  return new Date(moment);
}

/** The end of a day, or the millisecond after an instant. */
export function endOf(moment: string): Date {
  return new Date(new Date(moment).getTime() + (moment.length === 10 ? DAY_MS : 1));
}

/** The name in the state of something that no longer exists. */
export function nameIn({ before, after }: { before: unknown; after: unknown }): string | null {
  const { caseName, name, title } = {
    ...(before as object | null),
    ...(after as object | null),
  } as Record<string, unknown>;
  return [caseName, name, title].find((named) => typeof named === 'string') ?? null;
}

/** An entry as a row of the export. */
export function cellsOf(entry: Entry): string[] {
  const { actor, before, after } = entry;
  const own = {
    actor: actor && fullName(actor),
    before: before === null ? null : JSON.stringify(before),
    after: after === null ? null : JSON.stringify(after),
  };
  return COLUMNS.map((column) => ({ ...entry, ...own })[column] ?? '');
}

/** The case that a request names in its path or body, if any. */
export function caseIdOf(path: string, members: object): string | undefined {
  const { id, caseId, case: named } = members as Record<string, unknown>;
  const candidates = [path.startsWith('/api/v1/cases/{id}') ? id : undefined, caseId, named];
  return candidates.find(
    (candidate): candidate is string => typeof candidate === 'string' && isId(candidate),
  );
}

function isSame(a: unknown, b: unknown) {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** An audit entry's states; of a confidential entity they hold `members` alone. */
type States = { entity: string; before: unknown; after: unknown };
/** Names of users and of the matters that the reader sees, by id. */
export type Names = ReadonlyMap<string, string>;

/** Differences between two states in words; all of a state that has no other. */
export function changesIn({ entity, before, after }: States, names: Names): Change[] {
  const hidden = membersIn(entity, before, after);
  if (hidden) return hidden;
  const [old, now] = [flatten(entity, before), flatten(entity, after)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((field): Change[] => {
    const words = wordsOf(entity, field);
    if (!words) return [];
    const { label, kind } = words;
    const [from, to] = [old, now].map((state) => inWords(kind, state.get(field), names)) as [
      string,
      string,
    ];
    return from === to ? [] : [{ field, label, kind: wireKind(kind), from, to }];
  });
}

/** Ids in values that are read as names. */
export function referencedIds({ entity, before, after }: States) {
  const found = { people: new Set<string>(), matters: new Set<string>() };
  for (const state of [before, after])
    for (const [field, value] of flatten(entity, state)) {
      const kind = wordsOf(entity, field)?.kind;
      const ids = [value].flat().flatMap((one) => idOf(one) ?? []);
      if (kind === 'person' || kind === 'people') for (const id of ids) found.people.add(id);
      if (kind === 'matter') for (const id of ids) found.matters.add(id);
    }
  return found;
}

/** Fields of a state that have no words yet. */
export function fieldsOf(entity: string, state: unknown): string[] {
  const { members } = recordOf(state);
  return Array.isArray(members) ? members.map(String) : [...flatten(entity, state).keys()];
}

function membersIn(entity: string, ...states: unknown[]): Change[] | undefined {
  const lists = states.map((state) => recordOf(state)['members']).filter(Array.isArray);
  if (lists.length === 0) return undefined;
  return [...new Set(lists.flat().map(String))].flatMap((field) => {
    const words = wordsOf(entity, field);
    return words
      ? [{ field, label: words.label, kind: 'text' as const, from: null, to: null }]
      : [];
  });
}

/** Values by dotted field: an object counts by its fields unless it is read as a whole. */
function flatten(entity: string, state: unknown, prefix = ''): Map<string, unknown> {
  const values = new Map<string, unknown>();
  for (const [name, value] of Object.entries(recordOf(state))) {
    const field = `${prefix}${name}`;
    const isWhole = value === null || typeof value !== 'object' || Array.isArray(value);
    if (isWhole || isReadWhole(entity, field)) values.set(field, value);
    else for (const [inner, one] of flatten(entity, value, `${field}.`)) values.set(inner, one);
  }
  return values;
}

function isReadWhole(entity: string, field: string): boolean {
  return wordsOf(entity, field)?.kind !== 'text';
}

function wireKind(kind: ValueKind): Change['kind'] {
  return kind === 'date' || kind === 'bytes' ? kind : 'text';
}

function inWords(kind: ValueKind, value: unknown, names: Names): string {
  if (value === undefined || value === null || value === '') return '';
  const read = readers[kind];
  return read ? read(value, names) : plain(value);
}

const readers: Partial<Record<ValueKind, (value: unknown, names: Names) => string>> = {
  choice: (value) => spaced(plain(value)),
  column: (value) => columnTitles[value as keyof typeof columnTitles] ?? spaced(plain(value)),
  person: nameOf,
  stamp: (value, names) => nameOf(recordOf(value)['by'], names),
  people: (value, names) => each(value, (one) => nameOf(recordOf(one)['person'] ?? one, names)),
  matter: (value, names) => names.get(idOf(value) ?? '') ?? 'Another matter',
  names: (value) => each(value, named),
  numbers: (value) => each(value, plain),
  count: (value) => String(Array.isArray(value) ? value.length : plain(value)),
  frequency: (value) => spaced((/FREQ=(\w+)/.exec(plain(value))?.[1] ?? 'yes').toLowerCase()),
};

function nameOf(value: unknown, names: Names): string {
  const { firstName, lastName } = recordOf(value);
  if (typeof firstName === 'string' && typeof lastName === 'string')
    return fullName({ firstName, lastName });
  return names.get(idOf(value) ?? '') ?? 'Someone';
}

/** The name of something in a list. */
function named(value: unknown): string {
  const { name, title, email } = recordOf(value);
  return [name, title, email, value].filter(Boolean).map(plain)[0] ?? '';
}

function each(value: unknown, read: (one: unknown) => string): string {
  return (Array.isArray(value) ? (value as unknown[]) : [value]).map(read).join(', ');
}

function plain(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (!Array.isArray(value)) return '';
  return value.every((one) => typeof one !== 'object')
    ? value.map(plain).join(', ')
    : String(value.length);
}

function idOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  const { id, person } = recordOf(value);
  return [id, person].find((one) => typeof one === 'string');
}

function recordOf(state: unknown): Record<string, unknown> {
  return state !== null && typeof state === 'object' && !Array.isArray(state)
    ? (state as Record<string, unknown>)
    : {};
}
