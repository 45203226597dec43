import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Asked } from './stand-in.ts';

type Schema = {
  type: 'string' | 'integer' | 'number' | 'boolean' | 'array';
  format?: 'uri' | 'phone-number' | 'date-time';
  pattern?: string;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  items?: Schema;
};

type Operation = {
  method: string;
  /** Overrides the host of the API. */
  root?: string;
  /** `{PN}` matches an id with that prefix; `{SM|MM}` one with either. */
  path: string;
  fields: Record<string, Schema>;
  required?: string[];
  /** At least one of each group is required. */
  oneOf?: string[][];
};

type Description = { root: string; operations: Record<string, Operation> };

const FILE = path.join(import.meta.dirname, 'documents/twilio-api.json');
const { root, operations } = JSON.parse(readFileSync(FILE, 'utf8')) as Description;
const FORMATS = {
  uri: /^https?:\/\/[^\s]+$/,
  'phone-number': /^\+[1-9]\d{6,14}$/,
  'date-time': /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?Z)?$/,
};

/** Violations of Twilio's API description; each names the field, never its value. */
export function violationsOf(asked: Asked): string[] {
  const found = Object.entries(operations).find(
    ([, one]) => one.method === asked.method && pathOf(one).test(asked.path),
  );
  // Media locations are no operation.
  const isOperation = asked.path.includes('.json') || asked.path.startsWith('/v1/');
  if (!found) return isOperation ? [`${asked.method} of an unknown path`] : [];
  const [name, operation] = found;
  const given = asked.method === 'POST' ? new URLSearchParams(asked.body.toString()) : asked.query;
  return [...missing(operation, given), ...misfits(operation, given)].map(
    (one) => `${name}: ${one}`,
  );
}

function pathOf({ path: template, root: own = root }: Operation): RegExp {
  const pattern = (own + template)
    .replaceAll('.', '\\.')
    .replaceAll('{CountryCode}', '[A-Z]{2}')
    .replaceAll(/\{([A-Z]{2}(?:\|[A-Z]{2})*)\}/g, '(?:$1)[0-9a-fA-F]{32}');
  return new RegExp(`^${pattern}$`);
}

function missing({ required = [], oneOf = [] }: Operation, given: URLSearchParams): string[] {
  return [...required.map((name) => [name]), ...oneOf]
    .filter((group) => !group.some((name) => given.has(name)))
    .map((group) => `${group.join(' or ')} is missing`);
}

function misfits({ fields }: Operation, given: URLSearchParams): string[] {
  return [...new Set(given.keys())].flatMap((name) => {
    const schema = fields[name];
    if (!schema) return [`${name} is unknown`];
    const values = given.getAll(name);
    if (schema.type !== 'array' && values.length > 1) return [`${name} is repeated`];
    const isFit = values.every((value) => fits(value, schema.items ?? schema));
    return isFit ? [] : [`${name} is no ${schema.format ?? schema.pattern ?? schema.type}`];
  });
}

function fits(
  value: string,
  { type, format, pattern, minimum, maximum, ...schema }: Schema,
): boolean {
  if (type === 'boolean') return /^(true|false)$/.test(value);
  if (type === 'integer' && !/^-?\d+$/.test(value)) return false;
  if (type === 'number' && !Number.isFinite(Number(value))) return false;
  if (minimum !== undefined && Number(value) < minimum) return false;
  if (maximum !== undefined && Number(value) > maximum) return false;
  if (schema.enum && !schema.enum.includes(value)) return false;
  if (pattern !== undefined && !new RegExp(pattern).test(value)) return false;
  return format === undefined || FORMATS[format].test(value);
}
