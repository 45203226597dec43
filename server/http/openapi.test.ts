import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, describe, expect, test } from 'vitest';
import { errorCodes } from '@matterdesk/contract/errors.ts';
import { routes } from '@matterdesk/contract/routes.ts';
import { suite } from '../testing/app.ts';

type Schema = {
  properties?: Record<string, Schema>;
  oneOf?: Schema[];
  required?: string[];
  const?: unknown;
  enum?: unknown[];
  additionalProperties?: unknown;
};
type Content = Record<string, { schema: Schema }>;
type Operation = {
  operationId: string;
  summary: string;
  security: object[];
  parameters: { name: string; in: string; required: boolean; schema: Schema }[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content }>;
};
type Description = {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

const { app } = suite({});
let description: Description;

beforeAll(async () => {
  const { text } = await app.request('/api/v1/openapi.json');
  description = JSON.parse(text) as Description;
});

test('the description is public, bare and valid OpenAPI 3.1', async () => {
  expect(description.openapi).toMatch(/^3\.1\./);
  expect(description).not.toHaveProperty('statusCode');
  const validator = new Validator();
  const result = await validator.validate(description);
  expect(result).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
});

describe('the description', () => {
  test.each(routes)('contains $method $path', ({ method, path, ...route }) => {
    const operation = description.paths[path]?.[method.toLowerCase()];
    expect(operation).toMatchObject({ summary: route.summary });
    const opening = route.cookie ? [{ token: [] }, { cookie: [] }] : [{ token: [] }];
    expect(operation?.security).toEqual(route.access === 'anyone' ? [] : opening);
    const inPath = operation?.parameters.filter((parameter) => parameter.in === 'path') ?? [];
    expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
    const statuses = Object.keys(operation?.responses ?? {});
    const { status = 200, otherStatus } = route;
    const declared = otherStatus ? [status, otherStatus] : [status];
    expect(statuses.toSorted()).toEqual([...declared.map(String).toSorted(), 'default']);
  });

  test('contains no other call', () => {
    const described = Object.entries(description.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const promised = routes.map(({ method, path }) => `${method} ${path}`);
    expect(described.toSorted()).toEqual(promised.toSorted());
  });

  test('gives each call a unique name', () => {
    const names = operations().map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z]\w*$/i.test(name))).toEqual([]);
  });
});

function operations() {
  return Object.values(description.paths).flatMap((calls) => Object.values(calls));
}

function bodyOf(method: string, path: string) {
  const operation = description.paths[path]?.[method];
  return operation?.requestBody?.content['application/json']?.schema;
}

test('the description describes required and optional members of a body, and allows no others', () => {
  const registration = bodyOf('post', '/api/v1/users/register');
  expect(registration?.required).toEqual([
    'firstName',
    'lastName',
    'email',
    'password',
    'phoneNumber',
  ]);
  expect(registration?.additionalProperties).toBe(false);
  expect(registration?.properties?.['role']).toMatchObject({ enum: ['user', 'admin'] });
  const [filed, unfiled] = bodyOf('post', '/api/v1/cases')?.oneOf ?? [];
  const newCase = filed?.properties;
  expect(newCase?.['clientInfo']).toMatchObject({
    required: ['name', 'phoneNumber', 'email', 'address'],
  });
  expect(newCase?.['daysOpen']).toMatchObject({ type: 'number' });
  expect(unfiled?.required).toContain('notFiled');
  expect(unfiled?.required).not.toContain('caseNo');
});

test('the description describes the members of a query', () => {
  const parameters = description.paths['/api/v1/cases']?.['get']?.parameters ?? [];
  const byName = Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter]));
  expect(Object.keys(byName).toSorted()).toEqual(
    'assigned cursor incomplete limit ranked search sort status statusType type'.split(' '),
  );
  expect(byName['limit']).toMatchObject({ in: 'query', required: false });
  expect(byName['statusType']?.schema).toMatchObject({ enum: ['Active', 'Archive'] });
});

test('the description lists every code of a refusal', () => {
  const { Refusal, BareRefusal } = description.components.schemas;
  for (const schema of [Refusal, BareRefusal]) {
    expect(schema?.properties?.['code']?.enum).toEqual(Object.keys(errorCodes));
    expect(schema?.required).toContain('code');
  }
});

test('the description describes the envelope, refusals, uploads and the idempotency key', () => {
  const created = description.paths['/api/v1/cases']?.['post'];
  const reply = created?.responses['201']?.content?.['application/json']?.schema;
  expect(reply?.required).toEqual(['statusCode', 'message', 'body']);
  expect(reply?.properties?.['statusCode']).toEqual({ const: 201 });
  expect(reply?.properties?.['body']?.properties?.['case']?.properties).toHaveProperty('caseNo');
  expect(created?.responses['default']?.content?.['application/json']?.schema).toEqual({
    $ref: '#/components/schemas/Refusal',
  });
  expect(created?.parameters.map(({ name }) => name)).toContain('Idempotency-Key');
  const upload = description.paths['/api/v1/cases/import']?.['post']?.requestBody?.content;
  expect(upload?.['multipart/form-data']?.schema.properties).toHaveProperty('file');
});

test('the description describes replies without an envelope, and the fields of an upload', () => {
  const check = description.paths['/ai/check_embeddings']?.['post'];
  const schemaOf = (status: string) => check?.responses[status]?.content?.['application/json'];
  expect(Object.keys(schemaOf('200')?.schema.properties ?? {})).toEqual([
    'status',
    'message',
    'progress',
  ]);
  expect(schemaOf('default')?.schema).toEqual({ $ref: '#/components/schemas/BareRefusal' });
  const upload = description.paths['/api/v1/files/uploadFile']?.['post']?.requestBody?.content;
  expect(upload?.['multipart/form-data']?.schema.required).toEqual([
    'caseId',
    'folder',
    'attachments',
  ]);
});

test.each([
  ['/api/v1/cases/import', ['file']],
  ['/api/v1/calendar/import', ['file']],
  ['/api/v1/imports', ['profile']],
  ['/api/v1/templates', ['name', 'file']],
  ['/api/v1/templates/{id}/versions', ['file']],
])('the description requires of an upload to %s only what must be sent', (path, required) => {
  const upload = description.paths[path]?.['post']?.requestBody?.content['multipart/form-data'];
  expect(upload?.schema.required).toEqual(required);
});

test.each(['/api/v1/messages/webhook/status', '/api/v1/mails/google/push'])(
  'the description says that %s replies without a body',
  (path) => {
    const { responses } = description.paths[path]?.['post'] ?? {};
    expect(Object.keys(responses ?? {})).toEqual(['204', 'default']);
    expect(responses?.['204']).not.toHaveProperty('content');
  },
);
