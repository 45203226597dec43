import Lock from 'lucide-react/icons/lock';
import type { Case } from '@matterdesk/contract/cases.ts';

/** A lock beside the name of a case that not everyone sees. */
export function CaseLock({ matter: { access } }: { matter: Pick<Case, 'access'> }) {
  if (access === undefined) return null;
  const label = access === 'restricted' ? 'Restricted' : 'Some people are screened';
  return (
    <span role="img" aria-label={label} title={label} className="flex-none text-ink-2">
      <Lock className="size-3.5" />
    </span>
  );
}
