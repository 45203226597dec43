import * as z from 'zod/mini';

const HandedDraftSchema = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  /** Files of a case. */
  attachments: z._default(
    z.array(z.object({ name: z.string(), size: z.number(), url: z.string() })),
    [],
  ),
});
/** Contents of a draft that a link carries in its location state. */
export type HandedDraft = z.input<typeof HandedDraftSchema>;

/** Null when a link carries none, such as after its address was typed. */
export function readHandedDraft(state: unknown): z.output<typeof HandedDraftSchema> | null {
  return HandedDraftSchema.safeParse(state).data ?? null;
}
