import Pencil from 'lucide-react/icons/pencil';
import type { Case } from '@matterdesk/contract/cases.ts';
import { Button } from '../../../ui/Button.tsx';
import { missingInWords } from '../rules.ts';

interface MissingFieldsProps {
  matter: Case;
  /** Absent for users who may not change the case. */
  onFill?: ((first: string) => void) | undefined;
}

/** The fields that a case that is not filed yet lacks, with the way to fill them. */
export function MissingFields({ matter: { incomplete }, onFill }: MissingFieldsProps) {
  const [first] = incomplete;
  if (first === undefined) return null;
  return (
    <section
      aria-label="Missing information"
      className="mb-5 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-card border border-line bg-amber-soft px-4 py-2.5 text-sm print:hidden"
    >
      <p className="min-w-0">
        <span className="font-medium text-amber">Missing:</span> {missingInWords(incomplete)}
      </p>
      {onFill && (
        <Button size="small" icon={Pencil} onClick={() => onFill(first)}>
          Fill in
        </Button>
      )}
    </section>
  );
}
