/** An unreadable document. The message is for users. */
export class Unreadable extends Error {}

export const reasons = {
  empty: 'The file is empty.',
  encrypted: 'The file is password-protected. Save a copy without the password and upload that.',
  broken: (what: string) =>
    `The file is damaged or isn’t ${what}. Check that it opens on your computer and upload it again.`,
  noText: 'No text found in this file.',
  noTextInScan: 'No readable text in this image. A sharper scan, right side up, may help.',
  tooMuch:
    'The file expands to far more than its size, so it may be damaged or harmful. It wasn’t read.',
  tooLong: 'Reading the file took too long.',
  deleted: 'The file was deleted.',
  workedEnough: (read: number, pages: number) =>
    `Reading stopped after 30 minutes of work, at page ${read} of ${pages}. Train the file again to continue.`,
  gaveUp: 'Couldn’t read the file. Try again, or upload it in another format.',
} as const;
