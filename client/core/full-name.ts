import type { Person } from '@matterdesk/contract/cases.ts';

/** A person as sentences name them. */
export function fullName({ firstName, lastName }: Pick<Person, 'firstName' | 'lastName'>): string {
  return `${firstName} ${lastName}`;
}
