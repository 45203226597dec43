import * as z from 'zod/mini';

/** An invalid field; `path` is dotted (`clientInfo.email`). */
export const FieldErrorSchema = z.object({ path: z.string(), message: z.string() });
export type FieldError = z.infer<typeof FieldErrorSchema>;
