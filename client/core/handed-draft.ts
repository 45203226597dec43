import * as z from 'zod/mini';

const HandedDraftSchema = z.object({ to: z.string(), subject: z.string(), text: z.string() });
/** Contents of a draft that a link carries in its location state. */
export type HandedDraft = z.infer<typeof HandedDraftSchema>;

/** Null when a link carries none, such as after its address was typed. */
export function readHandedDraft(state: unknown): HandedDraft | null {
  return HandedDraftSchema.safeParse(state).data ?? null;
}
