import * as z from 'zod/mini';

/** Entries of a resource as `keptEntries` stores them. */
export function entriesSchema<Data extends z.ZodMiniType>(data: Data) {
  const entry = z.object({
    data,
    cursor: z.null(),
    status: z.literal('idle'),
    failure: z.null(),
    stale: z.literal(true),
    missed: z.tuple([]),
  });
  return z.record(z.string(), entry);
}
