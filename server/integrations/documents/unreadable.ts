/** A document that cannot be read. The message is for the person who trained it. */
export class Unreadable extends Error {}

export const reasons = {
  empty: 'The file is empty.',
  encrypted:
    'The file is protected by a password. Please save a copy without the password and upload that.',
  broken: (what: string) =>
    `The file is damaged or is not really ${what}. Please check that it opens on your computer and upload it again.`,
  noText: 'No text was found in the file.',
  noTextInScan:
    'No text could be made out in the picture. A sharper scan, the right way up, may help.',
  tooMuch:
    'The file unpacks to far more than its size, which points to damage or to harm. It was not read.',
  tooLong: 'Reading the file took too long, so it was given up.',
  gaveUp: 'Reading the file failed. Please try again, or upload it in another format.',
} as const;
