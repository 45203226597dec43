/** URL of an attachment; `part` is the MIME part's path, stable for the mail's life. */
export function attachmentUrl(mail: string, part: string, name: string): string {
  return `/api/v1/mails/attachment/${[mail, part, name].map(encodeURIComponent).join('/')}`;
}
