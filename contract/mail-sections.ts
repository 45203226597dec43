/** Apart from the schemas, which the first page does without. */
export const mailSections = ['inbox', 'sent', 'drafts'] as const;
export type MailSection = (typeof mailSections)[number];
