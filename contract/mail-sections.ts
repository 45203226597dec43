/** Separate from the schemas, which the first page does not load. */
export const mailSections = ['inbox', 'sent', 'drafts'] as const;
export type MailSection = (typeof mailSections)[number];
