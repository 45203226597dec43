import type { FastifyInstance, FastifyRequest } from 'fastify';

/** In bytes; ten times the longest text message with ten attachments. */
const FORM_LIMIT = 64_000;

type RawForm = { form: string };
export type Form = Record<string, string | string[]>;

export function acceptForms(app: FastifyInstance) {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer', bodyLimit: FORM_LIMIT },
    (_request, bytes, done) => done(null, { form: bytes.toString('utf8') } satisfies RawForm),
  );
}

/** Repeated members become lists. */
export function readForm(request: FastifyRequest): Form {
  const { form = '' } = (request.body ?? {}) as Partial<RawForm>;
  const read = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(form)) {
    const values = read.get(name);
    // Appending keeps ten thousand repetitions by an unauthenticated caller as cheap as ten thousand names.
    if (values) values.push(value);
    else read.set(name, [value]);
  }
  return Object.fromEntries(
    [...read].map(([name, values]) => [name, values.length > 1 ? values : (values[0] ?? '')]),
  );
}
