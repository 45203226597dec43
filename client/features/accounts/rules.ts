import type { User } from '@matterdesk/contract/accounts.ts';

/** Whether a person's name or any text of theirs holds what is searched, whatever its case. */
export function matchesPerson(person: User, search: string): boolean {
  const wanted = fold(search);
  const { firstName, lastName, email, role, phoneNumber } = person;
  const texts = [`${firstName} ${lastName}`, `${lastName}, ${firstName}`, email, role, phoneNumber];
  return texts.some((text) => fold(text).includes(wanted));
}

function fold(text: string): string {
  return text.normalize('NFC').toLocaleLowerCase().trim();
}
