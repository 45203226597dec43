import * as z from 'zod/mini';

const HandedDraftSchema = z.object({ to: z.string(), subject: z.string(), text: z.string() });
/** What a draft says, which a link to it carries in the state of its location. */
export type HandedDraft = z.infer<typeof HandedDraftSchema>;

/** Null when a link carries none, such as after its address was typed. */
export function readHandedDraft(state: unknown): HandedDraft | null {
  return HandedDraftSchema.safeParse(state).data ?? null;
}
