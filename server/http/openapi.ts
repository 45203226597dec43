import * as z from 'zod';
import { BareRefusalSchema, RefusalSchema } from '@matterdesk/contract/errors.ts';
import type { Route } from '@matterdesk/contract/route.ts';
import { routes } from '@matterdesk/contract/routes.ts';
import { TimeSlices } from '../core/time-slices.ts';
import { SESSION_COOKIE } from './authenticate.ts';

type Schema = NonNullable<Route['body']>;
type Json = Record<string, unknown>;

/** Describes the API as OpenAPI 3.1, from the schemas that validate it. It takes some 60 ms, in slices. */
export async function describeApi(): Promise<Json> {
  const paths: Record<string, Json> = {};
  const slices = new TimeSlices();
  for (const route of routes) {
    if (slices.isOver) await slices.next();
    const operations = (paths[route.path] ??= {});
    operations[route.method.toLowerCase()] = describeRoute(route);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Matterdesk', version: '1', description: 'Case management for law-firm staff' },
    servers: [{ url: '/' }],
    paths,
    components: {
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: 'x-auth-token' },
        cookie: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE },
      },
      schemas: {
        Refusal: toJson(RefusalSchema, 'output'),
        BareRefusal: toJson(BareRefusalSchema, 'output'),
      },
    },
  };
}

function toJson(schema: Schema, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return json;
}

function describeRoute(route: Route): Json {
  return {
    operationId: `${route.method.toLowerCase()}${route.path.replaceAll(/(?<![^a-z])[^a-z]+([a-z])/gi, (_, letter: string) => letter.toUpperCase()).replaceAll(/[^\w]/g, '')}`,
    summary: route.summary,
    security: securityOf(route),
    ...(typeof route.access === 'object' && { 'x-permission': permissionOf(route.access) }),
    parameters: [...pathParameters(route), ...queryParameters(route), ...headerParameters(route)],
    ...requestBody(route),
    responses: {
      ...Object.fromEntries(
        statusesOf(route).map((status) => [status, describeReply(route, status)]),
      ),
      default: describeRefusal(route),
    },
  };
}

/** Either of them opens the call. */
function securityOf({ access, cookie }: Route): Json[] {
  if (access === 'anyone') return [];
  return cookie ? [{ token: [] }, { cookie: [] }] : [{ token: [] }];
}

function statusesOf({ status = 200, otherStatus }: Route) {
  return otherStatus ? [status, otherStatus] : [status];
}

function permissionOf(access: Exclude<Route['access'], string>) {
  return 'anyOf' in access ? access.anyOf : access.permission;
}

function describeRefusal({ bare }: Route): Json {
  const schema = { $ref: `#/components/schemas/${bare ? 'BareRefusal' : 'Refusal'}` };
  return { description: 'A refusal', content: { 'application/json': { schema } } };
}

function pathParameters(route: Route): Json[] {
  return [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters(route: Route): Json[] {
  if (!route.query) return [];
  const { properties = {}, required = [] } = toJson(route.query, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}

function headerParameters(route: Route): Json[] {
  if (!route.idempotent) return [];
  return [{ name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string' } }];
}

function requestBody(route: Route): Json {
  if (route.file) {
    const fields = (route.fields ?? []).map((name) => [name, { type: 'string' }] as const);
    const file = [route.file, { type: 'string', format: 'binary' }] as const;
    const properties = Object.fromEntries([...fields, file]);
    const optional = route.optionalParts ?? [];
    const required = Object.keys(properties).filter((name) => !optional.includes(name));
    const schema = { type: 'object', properties, required };
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } };
  }
  if (route.form) {
    const schema = { type: 'object', additionalProperties: { type: 'string' } };
    const content = { 'application/x-www-form-urlencoded': { schema } };
    return { requestBody: { required: true, content } };
  }
  const described = route.body ?? route.signedBody;
  if (!described) return {};
  const schema = toJson(described, 'input');
  return { requestBody: { required: true, content: { 'application/json': { schema } } } };
}

function describeReply(route: Route, status: number): Json {
  if (!route.reply) return { description: route.message };
  const body = toJson(route.reply, 'output');
  const schema = route.bare ? body : envelopeOf(status, body);
  return { description: route.message, content: { 'application/json': { schema } } };
}

function envelopeOf(status: number, body: Json): Json {
  const properties = {
    statusCode: { const: status },
    message: { type: 'string' },
    body,
  };
  return { type: 'object', properties, required: Object.keys(properties) };
}
