import type { Check } from '@matterdesk/contract/conflicts.ts';
import type { PartyRole } from '@matterdesk/contract/contacts.ts';
import type { IntakeCheckProps } from '../../core/intake-check.ts';

/** A name of a new check as it is typed; an empty role counts as any. */
export type TypedName = { name: string; role: PartyRole | '' };

/** Names of a new check at first: those of its subject, or an empty line. */
export function startNames(names: readonly TypedName[]): TypedName[] {
  const seen = new Set<string>();
  const kept = names.filter(({ name }) => {
    const key = name.trim().toLowerCase();
    if (key === '' || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  return kept.length > 0 ? kept : [{ name: '', role: '' }];
}

/** The people of an intake, each once. */
export function namesOfIntake({ name, parties }: Pick<IntakeCheckProps, 'name' | 'parties'>) {
  return startNames([{ name, role: 'client' }, ...parties]).map((one) => ({
    name: one.name,
    role: one.role || null,
  }));
}

/** Names that came to an intake after its check. */
export function uncheckedNames(intake: IntakeCheckProps, { names }: Pick<Check, 'names'>) {
  const checked = new Set(
    names.flatMap((one) => [one.name, ...one.otherNames].map((name) => name.trim().toLowerCase())),
  );
  return namesOfIntake(intake)
    .map(({ name }) => name)
    .filter((name) => !checked.has(name.trim().toLowerCase()));
}
