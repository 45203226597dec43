import type { Person } from '@matterdesk/contract/cases.ts';

/** A person as sentences name them. */
export function fullName({ firstName, lastName }: Pick<Person, 'firstName' | 'lastName'>): string {
  return `${firstName} ${lastName}`;
}

/** A person as a `Select` offers them. */
export function personOption(person: Pick<Person, 'id' | 'firstName' | 'lastName'>) {
  return { value: person.id, label: fullName(person) };
}
