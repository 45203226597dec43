// Reading mail: lists, a mail with its attachments, and filing it in a case.

export const REASONS = {
  number: (caseNo: string) => `Case number ${caseNo} appears in it`,
  clientEmail: () => "The client's email address appears in it",
  counselEmail: () => "Opposing counsel's email address appears in it",
  clientName: () => "The client's name appears in it",
  counselName: () => "Opposing counsel's name appears in it",
} as const;
